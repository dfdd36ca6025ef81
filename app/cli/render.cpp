#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/data.h"
#include "app/evaluate.h"
#include "app/export/export.h"
#include "app/theme.h"
#include "core/io/file.h"

namespace attn::cli {

void run(const Render& command) {
    const std::string format = output_format(command.out, {"png", "svg", "pdf", "csv", "npz"});
    static_cast<void>(theme(command.theme));
    const PageSize size = command.size.empty() ? PageSize{} : page_size(command.size);
    const Scene scene = scene_of(command.scene);
    const auto result = Evaluator().evaluate(scene);
    if (format == "csv") return write_file(command.out, data_csv(scene, *result));
    if (format == "npz") return write_file(command.out, data_npz(scene, *result));
    const ExportOptions options{.format = format,
                                .size = {static_cast<double>(size.width), static_cast<double>(size.height)},
                                .scale = command.scale,
                                .theme = command.theme};
    write_file(command.out, export_figure(scene, *result, Fonts(), options));
}

}  // namespace attn::cli
