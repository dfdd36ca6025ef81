#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/catalog.h"
#include "tests/figures/drawn.h"

namespace attn {
namespace {

using ::testing::HasSubstr;

std::vector<std::string_view> opened(const Drawn& page) {
    std::vector<std::string_view> ids;
    for (const Hit& hit : page.hits) {
        EXPECT_EQ(hit.role, Hit::Role::mechanism);
        ids.push_back(hit.id);
    }
    return ids;
}

std::vector<std::string_view> ids_of(Family family) {
    std::vector<std::string_view> ids;
    for (const Mechanism& one : mechanisms())
        if (one.family == family) ids.push_back(one.id);
    return ids;
}

TEST(TableFigure, OnItsOwnPageHoldsEveryMechanismWithEveryField) {
    const Drawn page = drawn(scene_of("table", ""), figure("table").natural);
    EXPECT_EQ(faults(page, figure("table").natural), "");
    EXPECT_EQ(opened(page).size(), mechanisms().size());
    std::string flat = page.canvas->all_text();
    std::replace(flat.begin(), flat.end(), '\n', ' ');
    for (const Mechanism& one : mechanisms())
        for (const std::string_view text : {one.teaching.pieces, one.teaching.depends_on, one.teaching.squash,
                                            one.teaching.multiply, one.teaching.sits})
            EXPECT_THAT(flat, HasSubstr(std::string(text))) << one.id;
}

TEST(TableFigure, InAWindowShowsTheFamilyOfTheMechanism) {
    for (const Size size : {Size{774, 622}, Size{1144, 822}})
        for (const auto& [mechanism, family] :
             {std::pair{"dot", Family::sequences}, {"sasa", Family::pixels}, {"se", Family::channels}}) {
            Scene scene = scene_of("table", "");
            scene.mechanism = mechanism;
            const Drawn page = drawn(scene, size);
            EXPECT_EQ(faults(page, size), "") << mechanism << " at " << size.width;
            EXPECT_EQ(opened(page), ids_of(family)) << mechanism << " at " << size.width;
        }
}

TEST(TableFigure, AFamilyThatIsChosenIsShownWhateverTheMechanism) {
    const Drawn page = drawn(scene_of("table", "", {{"family", "channels"}}), {774, 622});
    EXPECT_EQ(opened(page), ids_of(Family::channels));
}

TEST(TableFigure, FitsEveryPage) {
    Evaluator evaluator;
    for (const char* family : {"all", "sequences", "pixels", "channels"}) {
        const Scene scene = scene_of("table", "", {{"family", family}});
        const auto result = evaluator.evaluate(scene);
        for (const Size size : {Size{720, 560}, Size{960, 700}, Size{1600, 1000}, Size{720, 1100}})
            EXPECT_EQ(faults(drawn(scene, result, size), size), "")
                << family << " at " << size.width << " x " << size.height;
    }
}

}  // namespace
}  // namespace attn
