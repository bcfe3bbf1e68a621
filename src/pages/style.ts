/** The one style sheet of the pages. Colours reach 4.5:1 on their ground in both schemes; borders of controls 3:1. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f2ee; --card: #fffefb; --ink: #191814; --soft: #5d5a52; --line: #dedad1; --edge: #85806f;
  --action: #191814; --on-action: #fffefb; --action-hover: #3a372f; --link: #0b50b5; --focus: #0b57d0;
  --note: #fbf3dc; --note-line: #d9bb62; --note-ink: #5a4300;
  --bad: #fdeceb; --bad-line: #d8665c; --bad-ink: #8f1d14; --good: #e7f4ea; --good-line: #6aab7b; --good-ink: #14532d;
  --tone-1: #e4dfd3; --tone-2: #d4cdbd; --tone-3: #f0593e; --tone-4: #2f5d50; --tone-5: #e9b44c; --tone-6: #3d4f7d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131311; --card: #1c1c19; --ink: #f1efe9; --soft: #b0aca1; --line: #33322d; --edge: #7d796d;
    --action: #f1efe9; --on-action: #191814; --action-hover: #d5d1c6; --link: #9cc2ff; --focus: #9cc2ff;
    --note: #2c2512; --note-line: #7a6426; --note-ink: #f0d98f;
    --bad: #331a18; --bad-line: #9c463e; --bad-ink: #ffb9b2; --good: #14281a; --good-line: #3f7a50; --good-ink: #a9dfb8;
    --tone-1: #2a2925; --tone-2: #3a3832; --tone-3: #c9472f; --tone-4: #3c7566; --tone-5: #b98a2d; --tone-6: #56699c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; font-weight: 650; text-wrap: balance; }
h2 { margin: 0; font-size: 1.0625rem; line-height: 1.35; font-weight: 650; }
p { margin: 0; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: .375rem; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
.stack.tight { gap: .375rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; letter-spacing: -.01em; color: inherit; text-decoration: none; }
.brand svg { width: 1.5rem; height: 1.5rem; }

.field { display: grid; gap: .375rem; }
label { font-weight: 600; font-size: .9375rem; }
input {
  width: 100%; min-height: 3rem; padding: .625rem .875rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .625rem;
}
input[aria-invalid="true"] { border-color: var(--bad-line); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 3rem; padding: .625rem 1.25rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
  color: var(--on-action); background: var(--action); border: 1px solid var(--action); border-radius: .625rem;
}
button:hover, .button:hover { background: var(--action-hover); border-color: var(--action-hover); }
.quiet { color: var(--ink); background: transparent; border-color: var(--edge); }
.quiet:hover { background: var(--tone-1); border-color: var(--edge); }
.compact { min-height: 2.5rem; padding: .375rem .875rem; font-size: .9375rem; }
.wide { width: 100%; }
.or { display: flex; align-items: center; gap: .75rem; color: var(--soft); font-size: .875rem; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }

.message { padding: .75rem 1rem; border: 1px solid; border-radius: .625rem; font-size: .9375rem; }
.message.bad { color: var(--bad-ink); background: var(--bad); border-color: var(--bad-line); }
.message.note { color: var(--note-ink); background: var(--note); border-color: var(--note-line); }
.message.good { color: var(--good-ink); background: var(--good); border-color: var(--good-line); }

.split { min-height: 100vh; display: grid; }
.split main { display: grid; align-content: center; gap: 2rem; width: 100%; max-width: 28rem; margin: 0 auto; padding: 2rem 1.25rem; }
.art { display: none; }
@media (min-width: 60rem) {
  .split { grid-template-columns: minmax(28rem, 2fr) 3fr; }
  .art { display: block; position: sticky; top: 0; height: 100vh; background: var(--tone-1); overflow: hidden; }
  .art svg { position: absolute; inset: 0; width: 100%; height: 100%; }
}
.art .card { fill: var(--card); } .art .pale { fill: var(--tone-1); } .art .mid { fill: var(--tone-2); }
.art .red { fill: var(--tone-3); } .art .green { fill: var(--tone-4); } .art .gold { fill: var(--tone-5); } .art .blue { fill: var(--tone-6); }
.art .ink { fill: var(--ink); }

.centre { min-height: 100vh; display: grid; align-content: center; justify-items: center; gap: 1.5rem; padding: 1.5rem 1rem; }
.panel { width: 100%; max-width: 33rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
@media (max-width: 30rem) { .panel { padding: 1.5rem 1.25rem; } }
.pair { display: flex; align-items: center; gap: .625rem; }
.tile { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: .75rem; border: 1px solid var(--line); font-size: 1.25rem; font-weight: 650; background: var(--tone-1); }
.tile svg { width: 1.5rem; height: 1.5rem; }
.tile.ours { background: var(--action); border-color: var(--action); color: var(--on-action); }
.dots { flex: none; width: 1.75rem; border-top: 2px dotted var(--edge); }
.who { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem; }
.who > :first-child { min-width: 0; }
.allowed { margin: .5rem 0 0; padding: 0; list-style: none; display: grid; gap: .625rem; }
.allowed li { display: grid; grid-template-columns: 1.25rem 1fr; gap: .625rem; }
.allowed svg { width: 1.25rem; height: 1.25rem; margin-top: .125rem; color: var(--tone-4); }
@media (prefers-color-scheme: dark) { .allowed svg { color: var(--good-ink); } }
.facts { margin: 0; display: grid; gap: .625rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: .9375rem; }
.facts div { display: grid; grid-template-columns: 9rem 1fr; gap: .125rem 1rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
@media (max-width: 30rem) { .facts div { grid-template-columns: 1fr; } }
.actions { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }

.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem; }
.page { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.5rem; max-width: 52rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
.page h1 { font-size: 2rem; }
.includes { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .75rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.includes + p { margin-top: .75rem; }
.includes li { padding: 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.connections { margin: 1rem 0 0; padding: 0; list-style: none; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
.connections li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .75rem 1.5rem; padding: 1rem 1.25rem; }
.connections li + li { border-top: 1px solid var(--line); }
.connections li > :first-child { flex: 1 1 16rem; min-width: 0; }
.empty { margin-top: 1rem; padding: 2rem 1.25rem; text-align: center; border: 1px dashed var(--edge); border-radius: 1rem; }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { button, .button { border-color: ButtonText; } }
`;
