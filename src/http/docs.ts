import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Router } from '@koa/router';
import { conditionalGet } from '../middleware/conditional-get.ts';
import { PROBLEMS } from '../middleware/problem.ts';
import type { RequestMiddleware, RequestState } from '../middleware/state.ts';
import { createHtmlPage, escapeHtml } from './html.ts';

/** What the page loads beside itself, from the installed package. */
const ASSETS = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
} as const;

const START_SCRIPT = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  // The validator is a service of another host.
  validatorUrl: null,
});
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** `/docs`: the API's description, rendered, with every error code. Nothing is loaded from another host. */
export function createDocs({ baseUrl }: { baseUrl: string }): RequestMiddleware {
  const page = createHtmlPage({
    title: 'Vitrine API',
    style: STYLE,
    styleSources: "'self'",
    head: '<link rel="stylesheet" href="/docs/swagger-ui.css">\n',
    body: `<div id="operations"></div>
<section class="problems">
<h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs go by <code>code</code>.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${problemRows()}
</tbody>
</table>
</section>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
    // Trying out an operation calls the configured address, which may be another name of this host.
    sources: ["script-src 'self'", `connect-src 'self' ${new URL(baseUrl).origin}`],
  });

  const router = new Router<RequestState>({ sensitive: true });
  router.get('/docs', conditionalGet, (ctx) => {
    ctx.set({ 'Content-Security-Policy': page.policy, 'Cache-Control': 'no-cache' });
    ctx.type = 'html';
    ctx.body = page.html;
  });
  router.get('/docs/start.js', conditionalGet, (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    ctx.type = 'text/javascript';
    ctx.body = START_SCRIPT;
  });
  for (const [name, type] of Object.entries(ASSETS)) {
    const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
    router.get(`/docs/${name}`, conditionalGet, async (ctx) => {
      ctx.set('Cache-Control', 'no-cache');
      ctx.type = type;
      ctx.body = await readFile(file, 'utf8');
    });
  }
  return router.routes() as RequestMiddleware;
}

function problemRows(): string {
  return Object.entries(PROBLEMS)
    .map(
      ([code, { status, title, help }]) =>
        `<tr id="${code}"><td>${status}</td><td><code>${code}</code></td><td><strong>${title}.</strong> ${markCode(help)}</td></tr>`,
    )
    .join('\n');
}

/** The texts mark code with backticks, as OpenAPI's descriptions do. */
function markCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

const STYLE = `
html.dark-mode { --paper: #1c2022; }
.problems { max-width: 1460px; margin: 0 auto; padding: 0 20px 4rem; box-sizing: border-box; }
.problems table { border-collapse: collapse; width: 100%; }
.problems th, .problems td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
.problems tr:target { background: color-mix(in srgb, var(--link) 15%, transparent); }
`;
