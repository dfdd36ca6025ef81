#include "app/cli/cli.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <type_traits>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/gui/window.h"
#include "core/error.h"
#include "core/io/file.h"

namespace attn {
namespace {

constexpr const char* program = "attnscope";

/// Everything that the command line may fill; only the chosen command's part is used.
struct Parsed {
    cli::List list;
    cli::Describe describe;
    cli::Compute compute;
    cli::Verify verify;
    cli::ReachQuestion reach;
    cli::CostQuestion cost;
    cli::Render render;
    cli::Gallery gallery;
    cli::Window window;
};

/// CLI11's help without its notes on what is required or excluded: the usage line and the errors say so.
class Help : public CLI::Formatter {
  public:
    Help() {
        column_width(34);
        label("SUBCOMMAND", "COMMAND");
        label("Positionals", "Arguments");
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        const std::string type = option->get_type_name();
        return (type.empty() ? "" : ' ' + type) + (option->get_expected_max() > 1 ? " ..." : "");
    }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
        // A group that is hidden leaves an empty line behind.
        for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n"))
            text.erase(at, 1);
        return text;
    }
};

/// A command under its own head in the help.
CLI::App* add_command(CLI::App& app, const char* name, const char* description) {
    return app.add_subcommand(name, description)->group("Commands");
}

/// An empty name is a slip, such as a variable that was not set, and no wish for the toy.
CLI::Validator named() {
    const auto check = [](std::string& name) {
        return name.empty() ? std::string("expected a file's name, got nothing") : std::string();
    };
    return {check, ""};
}

// Options that several commands have, written the same for each.

void add_set(CLI::App& app, std::vector<std::string>& set, const char* example) {
    app.add_option("--set", set, std::string("Set a knob, such as ") + example + "; may be repeated")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

void add_knobs(CLI::App& app, cli::SceneOptions& scene) {
    app.add_option("--image", scene.image, "A picture to look at, in place of the toy")
        ->type_name("FILE")
        ->check(named());
    add_set(app, scene.set, "tau=0.15");
}

void add_scene(CLI::App& app, cli::SceneOptions& scene) {
    CLI::Option* mechanism =
        app.add_option("--mechanism", scene.mechanism, "The mechanism (see: attnscope list mechanisms)");
    mechanism->type_name("ID");
    app.add_option("--pattern", scene.pattern, "The pattern (see: attnscope list patterns)")
        ->type_name("ID")
        ->excludes(mechanism);
    app.add_option("--figure", scene.figure, "The figure (see: attnscope list figures)")->type_name("ID");
    add_knobs(app, scene);
}

void add_list(CLI::App& app, cli::List& list) {
    CLI::App* command = add_command(app, "list", "Name the mechanisms, the patterns and the figures");
    command->add_option("WHAT", list.what, "mechanisms, patterns or figures; all when left out")
        ->type_name("")
        ->check(CLI::IsMember({"mechanisms", "patterns", "figures"}).description(""));
    CLI::Option* json = command->add_flag("--json", list.json, "An array of objects");
    command->add_flag("--markdown", list.markdown, "As tables of Markdown")->excludes(json);
    command->footer("Examples:\n  attnscope list\n  attnscope list mechanisms --markdown");
}

void add_describe(CLI::App& app, cli::Describe& describe) {
    CLI::App* command = add_command(
        app, "describe", "Tell a mechanism's equation, knobs and arrays, a pattern's or a figure's knobs");
    command
        ->add_option("ID", describe.id,
                     "A mechanism, a pattern or a figure; pattern:axial is the pattern where a mechanism has "
                     "its name; all, with --markdown, is the whole catalogue")
        ->type_name("")
        ->required();
    CLI::Option* json = command->add_flag("--json", describe.json, "As an object");
    command->add_flag("--markdown", describe.markdown, "As a page of Markdown")->excludes(json);
    command->footer(
        "Examples:\n  attnscope describe non-local\n  attnscope describe local\n  attnscope describe se "
        "--markdown\n  attnscope describe all --markdown");
}

void add_compute(CLI::App& app, cli::Compute& compute) {
    CLI::App* command = add_command(app, "compute", "Compute a mechanism on a case, a picture or the toy");
    command->add_option("ID", compute.scene.mechanism, "The mechanism")->type_name("")->required();
    CLI::Option* in = command->add_option("--in", compute.in, "A case: arrays in.* w.* b.* bn.*, knobs p.*");
    in->type_name("CASE.npz");
    add_knobs(*command, compute.scene);
    command->get_option("--image")->excludes(in);
    command
        ->add_option("-o,--output", compute.out,
                     "Where the out.* arrays go; a summary is printed when left out")
        ->type_name("OUT.npz|.json|.csv");
    command->add_option("--array", compute.array, "The array that a .csv file holds [out.weights]")
        ->type_name("NAME");
    command->footer(
        "OUT.npz holds every out.* array and the knobs; made with --in, the case's inputs too, so that it "
        "can be\n"
        "verified. A knob that the case does not set has its default, but tau and beta are 1.\n\n"
        "Examples:\n"
        "  attnscope compute non-local --set tau=0.05\n"
        "  attnscope compute scaled-dot --in case.npz --set causal=true -o result.npz\n"
        "  attnscope compute se --image photo.jpg --array out.gate -o gates.csv");
}

void add_verify(CLI::App& app, cli::Verify& verify) {
    CLI::App* command = add_command(app, "verify", "Recompute cases and compare every out.* array");
    command->add_option("CASE", verify.cases, "Cases (.npz)")->type_name("")->required();
    command->add_option("--mechanism", verify.mechanism, "For cases that name none (p.mechanism)")
        ->type_name("ID");
    command->footer(
        "Prints max |difference| of each array. Weights, gates and scores may differ by 1e-5 + 1e-5 |x|, "
        "other\n"
        "arrays by 2e-5 + 2e-5 |x|, masks and indices not at all; beyond that the exit code is 1. A case of "
        "a\n"
        "pattern (p.pattern, its knobs, the grid as p.H and p.W) holds out.mask, query by key.\n\n"
        "Examples:\n  attnscope verify my-attention.npz\n  attnscope verify cases/*.npz");
}

void add_reach(CLI::App& app, cli::ReachQuestion& reach) {
    CLI::App* command = add_command(app, "reach", "Tell what one query sees, through how many layers");
    command->add_option("PATTERN", reach.pattern, "The pattern of every layer (see: attnscope list patterns)")
        ->type_name("");
    command->add_option("--grid", reach.grid, "The positions; a sequence is 1xN [16x16]")->type_name("HxW");
    CLI::Option* query = command->add_option("--query", reach.query, "The query's index [near the middle]");
    query->type_name("Q");
    command->add_option("--at", reach.at, "The query's place")->type_name("ROW,COL")->excludes(query);
    command->add_option("--layers", reach.layers, "How many layers [2, or all of a longer --stack]")
        ->type_name("L");
    command->add_option("--stack", reach.stack, "Each layer its own, input first, in place of PATTERN")
        ->type_name("LAYERS");
    add_set(*command, reach.set, "k=7 or skip=true");
    command->add_flag("--json", reach.json, "As an object");
    command->add_option("--mask", reach.mask, "Write which keys each query sees in the first layer")
        ->type_name("OUT.npy");
    command->footer(
        "Layers of a stack are separated by ; and begin again when more are asked for. Patterns are combined "
        "by\n"
        "and, or, not and parentheses. --set serves every layer that has the knob and does not set it "
        "itself;\n"
        "skip=true keeps what was seen. The worst query of a large grid may take minutes.\n\n"
        "Examples:\n"
        "  attnscope reach local --layers 3\n"
        "  attnscope reach axial --grid 32x48 --at 7,9 --set m=9 --json\n"
        "  attnscope reach --stack \"local k=7; axial\" --mask first.npy\n"
        "  attnscope reach custom --set text=\"abs(qr-kr)+abs(qc-kc) <= 4\"");
}

void add_cost(CLI::App& app, cli::CostQuestion& cost) {
    CLI::App* command = add_command(app, "cost", "Tell what one layer costs");
    command->add_option("ID", cost.id, "A pattern, a mechanism or a preset such as vit")
        ->type_name("")
        ->required();
    command->add_option("--grid", cost.grid, "The pixels [224x224, or the preset's]")->type_name("HxW");
    add_set(*command, cost.set, "k=7 or heads=8");
    command->add_flag("--json", cost.json, "As an object");
    command->footer(
        "Entries and bytes are those of attention matrices; FLOPs count a multiply-add twice. Counting the\n"
        "entries of a typed rule on a large grid may take minutes.\n\n"
        "Examples:\n"
        "  attnscope cost local --set k=9\n"
        "  attnscope cost axial --grid 56x56 --json\n"
        "  attnscope cost se --set log2C=8 --set r=16\n"
        "  attnscope cost se-resnet-50");
}

void add_render(CLI::App& app, cli::Render& render) {
    CLI::App* command = add_command(app, "render", "Draw a figure into a file, or write its numbers");
    command
        ->add_option("SCENE", render.scene.file, "A scene (.json), an exported figure, a picture or a case")
        ->type_name("")
        ->check(named());
    add_scene(*command, render.scene);
    command->add_option("--size", render.size, "Size in points [the figure's own]")->type_name("WxH");
    command->add_option("--scale", render.scale, "Pixels per point of a PNG [2]")->type_name("F");
    command->add_option("--theme", render.theme, "light, dark or print [light]")->type_name("NAME");
    command->add_option("-o,--output", render.out, "The file, its kind told by its ending")
        ->type_name("OUT.png|.svg|.pdf|.csv|.npz")
        ->required();
    command->footer(
        ".csv is the row of the query (key, row, column, score, weight), what it sees, or the curves; .npz "
        "holds\n"
        "every out.* array and the knobs. A .png, .svg or .pdf carries its scene: render it again, or open "
        "it in the window.\n\n"
        "Examples:\n"
        "  attnscope render --figure overlay --image photo.jpg --set query=12,5 -o figure.svg\n"
        "  attnscope render figure.svg --set tau=0.05 --theme print -o sharper.pdf\n"
        "  attnscope render --mechanism se --figure gate --set beta=4 --scale 3 -o gate.png");
}

void add_gallery(CLI::App& app, cli::Gallery& gallery) {
    CLI::App* command = add_command(app, "gallery", "Draw every figure with its defaults, and an index.html");
    command->add_option("-o,--output", gallery.folder, "The folder, made when it is not there")
        ->type_name("DIR")
        ->required();
    command->footer("Example:\n  attnscope gallery -o gallery");
}

void add_window(CLI::App& app, cli::Window& window) {
    app.add_option("FILE", window.files, "A picture, a scene (.json), an exported figure or a case (.npz)")
        ->type_name("");
    add_scene(app, window.scene);
    app.add_option("--theme", window.theme, "light or dark")->type_name("NAME");
    app.add_option("--size", window.size, "Size of the window [1440x900]")->type_name("WxH");
    app.add_option("--zoom", window.zoom, "Scale of the interface [the display's]")
        ->type_name("F")
        ->check(CLI::Range(0.5, 4.0).description(""));
    app.add_option("--report", window.report, "A line of JSON for each frame, for tests")->group("");
}

void build(CLI::App& app, Parsed& parsed) {
    app.description("Shows what attention looks at: opens a window, or does one of the commands below.");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", std::string(program) + ' ' + ATTNSCOPE_VERSION,
                         "Print the version and exit");
    app.require_subcommand(0, 1);
    app.formatter(std::make_shared<Help>());
    add_window(app, parsed.window);
    add_list(app, parsed.list);
    add_describe(app, parsed.describe);
    add_compute(app, parsed.compute);
    add_verify(app, parsed.verify);
    add_reach(app, parsed.reach);
    add_cost(app, parsed.cost);
    add_render(app, parsed.render);
    add_gallery(app, parsed.gallery);
    app.footer(
        "Examples:\n"
        "  attnscope                                   the toy picture, live\n"
        "  attnscope photo.jpg --set tau=0.1           a picture of your own\n"
        "  attnscope render --figure gate -o gate.svg  a figure as a file\n"
        "  attnscope reach local --layers 3            what one query sees\n"
        "attnscope COMMAND --help tells more. Exit codes: 0 fine, 1 failure, 2 wrong usage.");
}

cli::Command chosen(const CLI::App& app, Parsed& parsed) {
    if (app.got_subcommand("list")) return std::move(parsed.list);
    if (app.got_subcommand("describe")) return std::move(parsed.describe);
    if (app.got_subcommand("compute")) return std::move(parsed.compute);
    if (app.got_subcommand("verify")) return std::move(parsed.verify);
    if (app.got_subcommand("reach")) return std::move(parsed.reach);
    if (app.got_subcommand("cost")) return std::move(parsed.cost);
    if (app.got_subcommand("render")) return std::move(parsed.render);
    if (app.got_subcommand("gallery")) return std::move(parsed.gallery);
    return std::move(parsed.window);
}

int run_parsed(int argc, const char* const* argv, int (*window)(const WindowOptions&)) {
    CLI::App app;
    app.name(program);
    Parsed parsed;
    build(app, parsed);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        cli::print(app.help());
        return 0;
    } catch (const CLI::CallForVersion& version) {
        cli::print(std::string(version.what()) + '\n');
        return 0;
    } catch (const CLI::ConversionError& error) {  // "Could not convert: --scale = abc"
        const std::string_view what = error.what();
        throw UsageError("cannot read " + std::string(what.substr(what.find(": ") + 2)) +
                         ": expected a number");
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    return std::visit(
        [&](const auto& command) {
            if constexpr (std::is_same_v<std::decay_t<decltype(command)>, cli::Window>)
                return window(cli::window_options(command));
            else
                return cli::run(command), 0;
        },
        chosen(app, parsed));
}

int fail(int code, std::string_view what) {
    constexpr std::size_t longest = 600;  // bytes: sentences quote what came, and that may be anything
    std::string sentence = shown_name(what.substr(0, longest));
    if (what.size() > longest) sentence += " …";
    std::fprintf(stderr, "%s: error: %s\n", program, sentence.c_str());
    return code;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, int (*window)(const WindowOptions&)) {
    try {
        return run_parsed(argc, argv, window);
    } catch (const UsageError& error) {
        return fail(2, error.what());
    } catch (const std::bad_alloc&) {
        return fail(1, "not enough memory");
    } catch (const std::exception& error) {
        return fail(1, error.what());
    }
}

}  // namespace attn
