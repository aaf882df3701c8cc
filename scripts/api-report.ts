import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

/**
 * Compares the public names and types of every entry point with the committed reports in `etc/`, so that a change of the
 * API is seen in review. `--update` writes the reports.
 */

interface Entry {
  readonly types?: string;
}

const root = resolve(import.meta.dirname, "..");
const update = process.argv.includes("--update");
const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, Entry | string>>;
};

let failed = false;
for (const [subpath, entry] of Object.entries(exports)) {
  if (typeof entry === "string" || entry.types === undefined) continue;
  const report = subpath === "." ? name : subpath.slice("./".length).replaceAll("/", "-");
  if (!existsSync(join(root, entry.types))) {
    console.error(`${subpath}: ${entry.types} is missing.`);
    failed = true;
    continue;
  }
  failed = !check(report, join(root, entry.types)) || failed;
}
process.exitCode = failed ? 1 : 0;

/** Whether the entry point at `types` is as `etc/<report>.api.md` says. */
function check(report: string, types: string): boolean {
  mkdirSync(join(root, "etc"), { recursive: true });
  mkdirSync(join(root, "temp"), { recursive: true });
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: join(root, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: types,
      compiler: { tsconfigFilePath: join(root, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFileName: `${report}.api.md`,
        reportFolder: join(root, "etc"),
        reportTempFolder: join(root, "temp"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          // Everything exported is public: no release tags. What has no docstring says so in the report.
          "ae-missing-release-tag": { logLevel: ExtractorLogLevel.None },
          "ae-undocumented": { logLevel: ExtractorLogLevel.None },
        },
        // Docstrings are plain Markdown for editors.
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: update,
    messageCallback(message) {
      if (message.messageId === "console-preamble") message.handled = true;
    },
  });
  if (apiReportChanged) {
    console.error(
      update ? `etc/${report}.api.md written.` : `The API is not as etc/${report}.api.md says; see npm run api:update.`,
    );
  }
  return succeeded;
}
