/** The page's looks. Colours of agents are Okabe and Ito's, which colour-blind people can tell apart, and two more. */
export const STYLE: string = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #ffffff; --card: #f6f8fa;
  --c0: #0072b2; --c1: #e69f00; --c2: #009e73; --c3: #d55e00; --c4: #cc79a7; --c5: #56b4e9; --c6: #b8a800; --c7: #6b4fa0;
  --c8: #8c564b; --c9: #2f4858; --cx: #aab4bf; --ch: #c8102e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #9aa6b5; --line: #303a47; --paper: #12171e;
  --card: #1a212b; --c0: #4aa8e0; --c1: #f0b429; --c2: #2cc295; --c3: #f2803c; --c4: #e29ac2; --c5: #8fd0f5;
  --c6: #f0e442; --c7: #a58be0; --c8: #c49a8e; --c9: #8fa9bd; --cx: #5c6875; --ch: #ff5a6e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1080px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 36px 0 10px; padding-top: 12px; border-top: 1px solid var(--line); }
p { margin: 0 0 8px; } .about, .sub { color: var(--soft); } .lead { font-size: 1.08rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(235px, 1fr)); gap: 10px; margin: 16px 0 0; padding: 0; }
.cards div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 12px; }
.cards dt { color: var(--soft); font-size: 0.86rem; } .cards dd { margin: 0; }
.cards dd.value { font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.3; }
.cards dd.remark { color: var(--soft); font-size: 0.82rem; line-height: 1.35; overflow-wrap: anywhere; }
svg { display: block; width: 100%; min-width: 640px; height: auto; }
svg text { fill: var(--ink); font-size: 12px; font-family: inherit; } svg .tick { fill: var(--soft); }
svg .label { font-size: 12.5px; }
.grid { stroke: var(--line); stroke-width: 1; } .axis { stroke: var(--soft); }
.reset { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 4; }
polyline.line { fill: none; stroke-width: 2; stroke-linejoin: round; } .dot { fill-opacity: 0; } .dot:hover, .dot.alone { fill-opacity: 1; }
rect:hover { opacity: 0.75; }
${["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "x", "h"]
  .map(
    (name) =>
      `rect.c${name}, circle.c${name} { fill: var(--c${name}); } polyline.c${name} { stroke: var(--c${name}); } i.c${name} { background: var(--c${name}); }`,
  )
  .join("\n")}
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 18px; padding: 0; margin: 8px 0 0; font-size: 0.86rem; }
.legend li { display: flex; align-items: baseline; gap: 6px; max-width: 340px; }
.legend span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend i { flex: none; width: 11px; height: 11px; border-radius: 2px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.88rem; margin-bottom: 6px; }
caption { text-align: left; color: var(--soft); padding-bottom: 4px; }
th, td { padding: 4px 9px; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400; vertical-align: top; }
thead th { color: var(--soft); font-size: 0.82rem; white-space: nowrap; } thead th[title] { text-decoration: underline dotted; cursor: help; }
th.right, td.right { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody th span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; min-width: 120px;
  max-width: 420px; overflow-wrap: anywhere; }
tbody tr:hover { background: var(--card); }
details { margin-top: 8px; } summary { cursor: pointer; } code { font-size: 0.85rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; } details { display: block; } }
`;
