import { Router } from '@koa/router';
import { conditionalGet } from '../middleware/conditional-get.ts';
import type { RequestMiddleware, RequestState } from '../middleware/state.ts';
import type { ProtectedResources } from '../oauth/resources.ts';
import { createHtmlPage, escapeHtml } from './html.ts';

/** `/`: what this is and where its doors are, for someone who has opened the address in a browser. */
export function createStartPage({ resources }: { resources: ProtectedResources }): RequestMiddleware {
  const api = escapeHtml(resources.api.id);
  const mcp = escapeHtml(resources.mcp.id);
  const page = createHtmlPage({
    title: 'Vitrine',
    body: `<main>
<h1>Vitrine</h1>
<p>A design-reference library: screens of apps, and the flows that they form, to be searched by people and by AI assistants.</p>
<h2>REST</h2>
<p>The API is at <code>${api}</code>. Its <a href="/docs">documentation</a> tries out every operation; programs read the
<a href="/api/v1/openapi.json">OpenAPI description</a>.</p>
<pre><code>curl -H "Authorization: Bearer $TOKEN" "${api}/screens?q=welcome"</code></pre>
<h2>MCP</h2>
<p>AI assistants connect to <code>${mcp}</code>. Give a client that address; it finds out the rest by itself.</p>
</main>`,
  });
  const router = new Router<RequestState>({ sensitive: true });
  router.get('/', conditionalGet, (ctx) => {
    ctx.set({ 'Content-Security-Policy': page.policy, 'Cache-Control': 'no-cache' });
    ctx.type = 'html';
    ctx.body = page.html;
  });
  return router.routes() as RequestMiddleware;
}
