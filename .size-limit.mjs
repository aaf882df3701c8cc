// What `import "octokit-plugin-squad-rate"` costs: our code and its eager dependencies, minified and gzipped. What is
// imported on first use, and what Node brings along, is left out.

/** @type {import("esbuild").Plugin} */
const onFirstUse = {
  name: "leave-out-what-is-imported-on-first-use",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** @type {import("size-limit").SizeLimitConfig} */
export default [
  {
    name: ". with its eager dependencies",
    path: "dist/index.js",
    limit: "112 kB",
    gzip: true,
    ignore: ["@octokit/core"],
    modifyEsbuildConfig: (config) => ({
      ...config,
      format: "esm",
      platform: "node",
      plugins: [...(config.plugins ?? []), onFirstUse],
    }),
  },
];
