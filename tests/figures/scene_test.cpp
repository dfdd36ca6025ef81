#include "app/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <algorithm>
#include <filesystem>

#include "app/evaluate.h"
#include "app/figure.h"
#include "app/input/toy_picture.h"
#include "app/input/words.h"
#include "core/catalog.h"
#include "core/error.h"
#include "core/io/file.h"
#include "core/io/picture.h"

namespace attn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Scene scene_of(std::string figure, std::string mechanism) {
    return {.figure = std::move(figure), .mechanism = std::move(mechanism)};
}

Scene with_picture(Index height, Index width) {
    EncodedPicture encoded = encode_for_scene(resize(toy_picture(), height, width));
    Scene scene;
    scene.input = picture_input("photo.png", encoded.type, encoded.bytes);
    return scene;
}

template <typename Thrown, typename Call>
std::string message_of(Call&& call) {
    try {
        call();
    } catch (const Thrown& e) {
        return e.what();
    }
    return "nothing was thrown";
}

TEST(Scene, ReadsBackWhatItWrote) {
    Scene scene = with_picture(48, 64);
    set_text(scene, "tau", "0.03");
    set_text(scene, "query", "3,4");
    set_text(scene, "features", "raw");
    const std::string json = to_json(scene);
    const Scene again = scene_from_json(json);
    EXPECT_EQ(again, scene);
    EXPECT_EQ(to_json(again), json);
    EXPECT_EQ(std::get<Index>(again.set.at("query")), 3 * 24 + 4);
}

TEST(Scene, IsAsciiWhateverTheFileIsCalled) {
    Scene scene = with_picture(8, 8);
    scene.input.name = "caf\xe9 \xff \xc3\xa9.png";  // broken and whole UTF-8
    const std::string json = to_json(scene);
    EXPECT_TRUE(std::all_of(json.begin(), json.end(), [](char c) { return c >= 32 && c < 127; }));
    EXPECT_NO_THROW(scene_from_json(json));
}

TEST(Scene, DropsWhatEqualsADefault) {
    Scene scene;
    set_text(scene, "tau", "0.5");
    EXPECT_EQ(scene.set.size(), 1U);
    set_text(scene, "tau", format(find(schema(scene), "tau")->initial));
    EXPECT_TRUE(scene.set.empty());
}

TEST(Scene, SaysWhatWasExpected) {
    Scene scene;
    EXPECT_THAT(message_of<UsageError>([&] { set_text(scene, "tua", "1"); }), HasSubstr("tau"));
    EXPECT_THAT(message_of<UsageError>([&] { set_text(scene, "tau", "hot"); }), HasSubstr("hot"));
    EXPECT_THAT(message_of<UsageError>([&] { set_text(scene, "query", "24,0"); }), HasSubstr("query"));
    EXPECT_THAT(message_of<UsageError>([&] { set_text(scene, "query", "576"); }), HasSubstr("575"));
    EXPECT_THAT(message_of<UsageError>([] { schema(scene_of("gate", "non-local")); }), HasSubstr("overlay"));
    EXPECT_EQ(scene, Scene{});  // a refused value changes nothing
}

TEST(Scene, RefusesBrokenJson) {
    const std::string good = to_json(Scene{});
    for (
        const std::string& bad :
        {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() - 1),
         std::string(R"({"attnscope":2,"figure":"overlay","mechanism":"non-local"})"),
         std::string(R"({"attnscope":1,"figure":"overlay","mechanism":"no-such"})"),
         std::string(R"({"attnscope":1,"figure":"overlay","mechanism":"non-local","set":{"tau":-1}})"),
         std::string(R"({"attnscope":1,"figure":"overlay","mechanism":"non-local","set":{"tau":[1]}})"),
         std::string(R"({"attnscope":1,"figure":"overlay","mechanism":"non-local","set":{"nope":1}})"),
         std::string(
             R"({"attnscope":1,"figure":"overlay","mechanism":"non-local","input":{"name":"x","type":"image/png","data":"AAAA"}})")})
        EXPECT_THROW(scene_from_json(bad), Error) << bad;
}

TEST(Scene, RefusesDeepJson) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    EXPECT_THROW(scene_from_json(R"({"attnscope":1,"figure":"overlay","set":{"tau":)" + deep + "}}"), Error);
    EXPECT_THROW(scene_from_json(R"({"attnscope":)" + deep + "}"), Error);
}

TEST(Scene, ThoseThatAreShippedOpen) {
    int count = 0;
    Evaluator evaluator;
    for (const auto& file : std::filesystem::directory_iterator(ATTNSCOPE_SOURCE "/assets/scenes")) {
        const Scene scene = scene_from_json(read_file(file.path()));
        EXPECT_FALSE(scene == Scene{}) << file.path();
        EXPECT_NO_THROW(evaluator.evaluate(scene)) << file.path();
        ++count;
    }
    EXPECT_GE(count, 5);
}

TEST(Scene, QueryKeepsItsPlaceWhenTheGridChanges) {
    Scene scene;
    set_text(scene, "query", "18,6");
    set_text(scene, "grid", "48");
    const Index query = std::get<Index>(scene.set.at("query"));
    EXPECT_EQ(query / 48, 37);
    EXPECT_EQ(query % 48, 13);
    set_text(scene, "grid", "24");
    EXPECT_EQ(std::get<Index>(scene.set.at("query")), 18 * 24 + 6);
}

TEST(Scene, QueryStaysAmongFewerWords) {
    Scene scene = scene_of("alignment", "additive");
    set_text(scene, "query", "8");
    set_text(scene, "target", "un chat");
    EXPECT_EQ(query_grid(scene), (Grid{1, 2}));
    Evaluator evaluator;
    EXPECT_EQ(query_of(scene, *evaluator.evaluate(scene)), 1);
}

TEST(Scene, LaysTheWholePictureOnAGridOfItsShape) {
    Scene scene = with_picture(120, 200);
    EXPECT_EQ(query_grid(scene), (Grid{24, 24}));
    set_text(scene, "fit", "whole");
    EXPECT_EQ(query_grid(scene), (Grid{14, 24}));
    Evaluator evaluator;
    const auto result = evaluator.evaluate(scene);
    EXPECT_EQ(result->trace.queries, (Grid{14, 24}));
    EXPECT_EQ(result->colours->shape(), (Shape{3, 14, 24}));
}

TEST(Scene, AnotherMechanismKeepsWhatItHasToo) {
    Scene scene = with_picture(32, 32);
    set_text(scene, "grid", "16");
    set_text(scene, "pairwise", "dot");
    const Scene gates = with_mechanism(scene, "se");
    EXPECT_EQ(gates.figure, mechanism("se").figures.front());
    EXPECT_EQ(gates.input, scene.input);
    EXPECT_EQ(std::get<Index>(gates.set.at("grid")), 16);
    EXPECT_FALSE(gates.set.contains("pairwise"));
    EXPECT_NO_THROW(schema(gates));
}

TEST(Scene, KeyForgetsWhatOnlyTheDrawingNeeds) {
    Scene scene;
    const std::string key = evaluation_key(scene);
    set_text(scene, "query", "0");
    EXPECT_EQ(evaluation_key(scene), key);
    EXPECT_EQ(evaluation_key(with_figure(scene, "recipe")), key);
    set_text(scene, "tau", "2");
    EXPECT_NE(evaluation_key(scene), key);
    Scene photo = with_picture(32, 32);
    EXPECT_NE(evaluation_key(photo), key);
}

TEST(Scene, TakesKnobsInAnyOrder) {
    Scene scene;
    set_all(scene, {{"query", Index{2000}}, {"grid", Index{48}}});  // legal together only
    EXPECT_EQ(std::get<Index>(scene.set.at("query")), 2000);
    EXPECT_EQ(scene_from_json(to_json(scene)), scene);
}

TEST(Scene, SetsWhatDecidesOtherKnobsFirst) {
    Scene scene = scene_of("overlay", "sasa");  // one head: there is none to choose among
    set_all(scene, {{"head", Index{2}}, {"heads", Index{3}}});
    EXPECT_EQ(scene_from_json(to_json(scene)), scene);
    EXPECT_EQ(std::get<Index>(scene.set.at("head")), 2);
    Scene words = scene_of("alignment", "cross");  // two heads
    set_all(words, {{"head", Index{5}}, {"heads", Index{8}}});
    EXPECT_EQ(scene_from_json(to_json(words)), words);
    EXPECT_THROW(set_all(words, {{"head", Index{3}}, {"heads", Index{2}}}), UsageError);
}

TEST(Scene, HasEveryKnobOnce) {
    for (const Mechanism& shown : mechanisms())
        for (const std::string_view figure : shown.figures) {
            Scene scene{.figure = std::string(figure), .mechanism = std::string(shown.id)};
            if (find(schema(scene), "heads") != nullptr) set(scene, "heads", Index{2});
            std::set<std::string> ids;
            for (const Parameter& knob : schema(scene))
                EXPECT_TRUE(ids.insert(knob.id).second) << shown.id << ", " << figure << ": " << knob.id;
        }
}

TEST(Evaluate, EveryMechanismOnTheToy) {
    Evaluator evaluator;
    for (const Mechanism& m : mechanisms()) {
        const Scene scene = scene_of(std::string(m.figures.front()), std::string(m.id));
        const auto result = evaluator.evaluate(scene);
        ASSERT_FALSE(result->trace.heads.empty()) << m.id;
        const Head& head = result->trace.heads.front();
        EXPECT_EQ(head.weights.rows(), result->trace.queries.size()) << m.id;
        EXPECT_EQ(head.weights.columns(), result->trace.keys.size()) << m.id;
        EXPECT_FALSE(result->said.empty()) << m.id;
        if (m.family != Family::channels) {
            EXPECT_EQ(query_grid(scene), result->trace.queries) << m.id;
        }
    }
}

TEST(Evaluate, KeepsNothingThatChanged) {
    Evaluator kept;
    Scene scene;
    const auto same_as_fresh = [&](const Scene& asked) {
        const auto a = kept.evaluate(asked);
        const auto b = Evaluator().evaluate(asked);
        return *a->trace.out.at("out.weights") == *b->trace.out.at("out.weights") && a->said == b->said;
    };
    EXPECT_TRUE(same_as_fresh(scene));
    for (const auto& [id, text] : std::vector<std::pair<std::string, std::string>>{{"grid", "12"},
                                                                                   {"features", "random"},
                                                                                   {"seed", "8"},
                                                                                   {"d", "16"},
                                                                                   {"features", "raw"},
                                                                                   {"tau", "1"}}) {
        set_text(scene, id, text);
        EXPECT_TRUE(same_as_fresh(scene)) << id;
    }
    Scene photo = with_picture(64, 40);
    EXPECT_TRUE(same_as_fresh(photo));
    set_text(photo, "fit", "whole");
    EXPECT_TRUE(same_as_fresh(photo));
    EXPECT_TRUE(same_as_fresh(scene_of("alignment", "additive")));
    EXPECT_TRUE(same_as_fresh(scene_of("alignment", "scaled-dot")));
    EXPECT_TRUE(same_as_fresh(Scene{}));
}

TEST(Evaluate, ForgetsWordsThatCouldNotBeRead) {
    Evaluator evaluator;
    Scene scene = scene_of("alignment", "dot");
    evaluator.evaluate(scene);
    Scene empty = scene;
    set_text(empty, "source", "  ");
    EXPECT_THROW(evaluator.evaluate(empty), Error);
    EXPECT_NO_THROW(evaluator.evaluate(scene));
}

TEST(Evaluate, SaysWhichProjectionsAreRandom) {
    Scene scene;
    set_text(scene, "features", "random");
    set_text(scene, "seed", "11");
    EXPECT_THAT(Evaluator().evaluate(scene)->said, HasSubstr("random projections W_θ and W_φ, seed 11"));
}

TEST(Evaluate, TheToyIsWorthLookingAt) {
    // From the left red ball the right one is seen, through nothing but colour.
    Evaluator evaluator;
    const Scene scene;
    const auto result = evaluator.evaluate(scene);
    const auto row = result->trace.heads.front().weights.row(query_of(scene, *result));
    const auto at = [&](Index r, Index c) { return row[static_cast<std::size_t>(r * 24 + c)]; };
    EXPECT_GT(at(8, 17), 5 * at(18, 15));  // red ball against blue
    EXPECT_GT(at(8, 17), 5 * at(2, 2));    // and against sky
    // With raw colours the sun wins whatever the query.
    Scene raw;
    set_text(raw, "features", "raw");
    const auto bright = evaluator.evaluate(raw);
    for (const Index query : {Index{0}, Index{12 * 24 + 5}, Index{23 * 24 + 12}}) {
        const auto weights = bright->trace.heads.front().weights.row(query);
        const auto best = std::max_element(weights.begin(), weights.end()) - weights.begin();
        EXPECT_NEAR(static_cast<double>(best / 24), 4, 2) << query;
        EXPECT_NEAR(static_cast<double>(best % 24), 8, 2) << query;
    }
}

TEST(Words, AreSplitAtSpacesAndMarks) {
    EXPECT_THAT(split_words("  The cat, it sat. "), ElementsAre("The", "cat", ",", "it", "sat", "."));
    EXPECT_THROW(split_words(" \n"), Error);
    std::string many;
    for (int i = 0; i < 201; ++i) many += "a ";
    EXPECT_THROW(split_words(many), Error);
}

TEST(Words, AlignWithTheirTranslation) {
    Evaluator evaluator;
    for (const char* id : {"additive", "dot"}) {
        const auto result = evaluator.evaluate(scene_of("alignment", id));
        const Map& weights = result->trace.heads.front().weights;
        const auto best = [&](std::string_view word) {
            const auto& asked = result->query_labels;
            const auto row = weights.row(std::find(asked.begin(), asked.end(), word) - asked.begin());
            return result->key_labels[static_cast<std::size_t>(std::max_element(row.begin(), row.end()) -
                                                               row.begin())];
        };
        EXPECT_EQ(best("chat"), "cat") << id;
        EXPECT_EQ(best("noir"), "black") << id;
        EXPECT_EQ(best("canapé"), "sofa") << id;
        EXPECT_EQ(best("rouge"), "red") << id;
    }
}

}  // namespace
}  // namespace attn
