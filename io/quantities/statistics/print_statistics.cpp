#include "io/quantities/statistics/print_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {

std::string formatStatistics(const Deck& study, std::span<const ContactSummary> summaries) {
  if (summaries.empty()) return {};
  std::size_t width = std::string_view("contact").size();
  bool wears = false, cuts = false;
  for (const ContactSummary& each : summaries) {
    width = std::max(width, study.contacts[each.contact].name.size());
    const WearRequest* wear = study.contacts[each.contact].wear.get();
    wears = wears || wear != nullptr;
    cuts = cuts || (wear != nullptr && wear->shape);
  }
  std::string text =
      fmt::format("  {:<{}} {:>10} {:>10} {:>8} {:>8} {:>10} {:>10} {:>10} {:>6} {:>6} {:>6} {:>10}",
                  "contact", width, "from s", "to s", "impacts", "global", "peak N", "rms N", "v max m/s",
                  "open", "stick", "slip", "wear W");
  if (wears) text += fmt::format(" {:>10}", "worn m^3");
  if (cuts) text += fmt::format(" {:>10}", "depth m");
  text += '\n';
  for (const ContactSummary& each : summaries) {
    const ContactRequest& contact = study.contacts[each.contact];
    for (std::size_t w = each.windows.size() > 1 ? 1 : 0; w < each.windows.size(); ++w) {
      const WindowTotals& window = each.windows[w];
      const auto value = [&](std::string_view name) {
        return statisticColumn(name)->value(window, contact.wear.get());
      };
      text += fmt::format(
          "  {:<{}} {:>10.5g} {:>10.5g} {:>8} {:>8} {:>10.4g} {:>10.4g} {:>10.4g} {:>6.3f} {:>6.3f} {:>6.3f} "
          "{:>10.4g}",
          contact.name, width, window.from, window.to, value("impacts"), value("global_impacts"),
          value("peak_force"), value("normal_force_rms"), value("impact_velocity_max"), value("share_open"),
          value("share_stick"), value("share_slip"), value("wear_power"));
      for (const std::string_view name : {"wear_volume", "wear_depth"})
        if (statisticColumn(name)->appliesToWear(contact.wear.get()))
          text += fmt::format(" {:>10.4g}", value(name));
      text += '\n';
    }
  }
  return text;
}

}  // namespace ricochet
