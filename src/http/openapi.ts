import {
  createDocument,
  type ZodOpenApiOverride,
  type ZodOpenApiObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { ApiRoute } from './route.ts';

type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 description of the API, made from the schemas that its routes validate by. */
export function createOpenApiDocument(apiUrl: string, routes: readonly ApiRoute[]): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = Object.fromEntries(
    routes.map((route) => [route.path, { get: route.operation }]),
  );
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine',
      version: '1.0.0',
      description:
        'A design-reference library: screens of apps, and flows through them. Lists come in pages of `limit` items; `nextCursor` of one is `cursor` of the next, and the `Link` header has its whole address. Errors are problem details (RFC 9457) with a `code` for programs.',
    },
    servers: [{ url: apiUrl }],
    tags: [
      { name: 'Screens', description: 'Rendered UI surfaces, each of one app.' },
      { name: 'Flows', description: 'Ordered journeys through the screens of an app.' },
    ],
    security: [{ accessToken: [] }],
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token for the REST API, sent in the Authorization header.',
        },
      },
    },
  };
  return createDocument(document, { override: simplify });
}

/** Leaves out what zod adds beyond the contract: its own patterns for formats, the bounds of JavaScript's integers. */
const simplify: ZodOpenApiOverride = ({ jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // A later version may add members to an answer.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};
