import { describeAddress, parseStoreAddress } from "../../../store/address.js";
import type { SettingKey, Settings } from "../../config.js";
import type { Check } from "./check.js";
import { findingOf } from "./check.js";

/** Settings, or why there are none. */
export type LoadedSettings =
  | { readonly kind: "loaded"; readonly settings: Settings }
  | { readonly kind: "failed"; readonly error: unknown };

/** Without settings nobody knows where to look, and a token must not be tried on a GitHub that is not its own. */
export function leftOut(name: string): Check {
  return { name, look: async () => ({ state: "warn", found: "was not looked at", remedy: "see settings" }) };
}

/** Where settings come from. */
export function settingsCheck(loaded: LoadedSettings): Check {
  return {
    name: "settings",
    look: async () => {
      if (loaded.kind === "failed") return findingOf(loaded.error);
      const { configFile, origins } = loaded.settings;
      const told = (Object.keys(origins) as SettingKey[]).map(
        (key) => `${key} ${shown(key, loaded.settings)} (${origins[key]})`,
      );
      const file = configFile === undefined ? "no configuration file" : configFile;
      return { state: "ok", found: [file, ...told].join("; ") };
    },
  };
}

function shown(key: SettingKey, settings: Settings): string {
  const value = settings[key];
  if (key === "store" && typeof value === "string") return describeAddress(parseStoreAddress(value));
  // It may name a user.
  if (key === "upstream" && typeof value === "string" && URL.canParse(value)) return new URL(value).origin;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
