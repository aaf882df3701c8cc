// What `import "octokit-plugin-squad-rate"` loads at once. Dynamic and type-only imports are left out here, our own
// dependencies are followed, so that a dependency that grows an eager `node:fs` is noticed too.

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "no-eager-files-or-sockets",
      comment: "Workers, Deno and Bun load `.` without files and sockets; what needs them is imported on first use.",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: {
        reachable: true,
        path: "^(node:)?(fs|net|tls|http|https|http2|dgram|child_process|cluster|worker_threads)(/|$)",
      },
    },
  ],
  options: {
    exclude: { dynamic: true },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: false,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
