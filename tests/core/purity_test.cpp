// What must not be in the core: other people's windows and files, and code that the linker could merge with
// code of another instruction set.

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Symbol {
    std::string member, name;
    char type;  ///< as nm has it: U undefined, W V u weak or unique, …
};

/// The symbols of the core's archive, as `nm -C --format=posix` lists them.
std::vector<Symbol> symbols() {
    const std::string command =
        "nm -C --format=posix '" + (fs::path(ATTNSCOPE_BUILD) / "core/libattn_core.a").string() + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text;
    std::array<char, 65536> part{};
    while (pipe && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();

    std::vector<Symbol> found;
    std::string member;
    const std::regex header(R"(.*\[(.*)\]:)");
    const std::regex entry(R"((.*) ([A-Za-z])( [0-9a-f]+){0,2} *)");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, header)) {
            member = match[1];
        } else if (std::regex_match(line, match, entry)) {
            found.push_back({member, match[1], match[2].str().front()});
        }
    }
    return found;
}

std::vector<std::string> names(const std::vector<Symbol>& all, const std::string& member,
                               const std::string& types) {
    std::vector<std::string> some;
    for (const Symbol& symbol : all)
        if (symbol.member == member && types.find(symbol.type) != std::string::npos)
            some.push_back(symbol.name);
    return some;
}

TEST(Kernels, ShareNothingThatTheLinkerCouldMerge) {
    const std::vector<Symbol> all = symbols();
    for (const std::string set : {"baseline", "avx2"}) {
        const std::string member = "kernels_" + set + ".cpp.o";
        if (names(all, member, "RD").empty() && set == "avx2") continue;  // another kind of processor
        EXPECT_THAT(names(all, member, "RD"), testing::Contains("attn::kernels::" + set));
        const std::vector<std::string> weak = names(all, member, "WwVvu");
        EXPECT_FALSE(weak.empty()) << "Eigen's instances are expected here";
        for (const std::string& name : weak)
            EXPECT_TRUE(name.find("Eigen_" + set + "::") != std::string::npos ||
                        name == "DW.ref.__gxx_personality_v0")
                << member << " would share " << name;
    }
}

TEST(Core, CallsNoWindowAndNoFileFormat) {
    const std::regex foreign(
        R"((gl[A-Z]|glfw|gladLoad|ImGui|ImDraw|cairo_|Fc[A-Z]|FT_|zip_|stbi_|nlohmann::|CLI::).*)");
    ASSERT_TRUE(std::regex_match("glfwInit", foreign));
    const std::vector<Symbol> all = symbols();
    EXPECT_GT(all.size(), 100U);
    for (const Symbol& symbol : all)
        EXPECT_FALSE(symbol.type == 'U' && std::regex_match(symbol.name, foreign))
            << symbol.member << " needs " << symbol.name;
}

/// What a source of the core may include: itself but not core/io, the standard library, Eigen, muParser.
bool may_include(const std::string& name) {
    static const std::regex ours(R"("core/(?!io/)[^"]+")");
    static const std::regex allowed(R"(<([a-z_]+|Eigen/[A-Za-z]+|muParser\.h|omp\.h)>)");
    return std::regex_match(name, ours) || std::regex_match(name, allowed);
}

TEST(Core, IncludesOnlyWhatComputes) {
    for (const char* foreign : {"<GLFW/glfw3.h>", "<imgui.h>", "<cairo.h>", "<zip.h>", "<nlohmann/json.hpp>",
                                "<stb_image.h>", "<CLI/CLI.hpp>", "\"app/scene.h\"", "\"core/io/npz.h\""})
        ASSERT_FALSE(may_include(foreign)) << foreign;

    const std::regex include(R"(\s*#\s*include\s*(<[^>]+>|"[^"]+").*)");
    const fs::path core = fs::path(ATTNSCOPE_SOURCE) / "core";
    int files = 0;
    for (const fs::path& folder : {core, core / "mechanisms", core / "patterns"}) {
        if (!fs::exists(folder)) continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (!entry.is_regular_file() || entry.path().extension() == ".txt") continue;
            ++files;
            std::ifstream source(entry.path());
            for (std::string line; std::getline(source, line);) {
                std::smatch match;
                if (std::regex_match(line, match, include)) {
                    EXPECT_TRUE(may_include(match[1])) << entry.path().filename() << " includes " << match[1];
                }
            }
        }
    }
    EXPECT_GT(files, 15);
}

}  // namespace
