/** How a published client introduces itself, and where its users are sent back to. */
export interface FieldClient {
  name: string;
  /** What it posts to the registration endpoint, or publishes as its metadata document. */
  metadata: { redirect_uris: string[] } & Record<string, unknown>;
  /** Address of its metadata document, when it has one. */
  document?: string;
  /** Redirect URIs that an operator has to approve before. */
  toApprove: string[];
  /** Redirect URIs of its authorization requests. */
  redirects: string[];
}

const BOTH_GRANTS = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** From the clients' public sources and from requests that their users reported. */
export const FIELD_CLIENTS: readonly FieldClient[] = [
  {
    name: 'VS Code',
    metadata: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      ...BOTH_GRANTS,
      grant_types: [...BOTH_GRANTS.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      application_type: 'native',
    },
    toApprove: ['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect'],
    // A random port when 33418 is taken; the hosted address where the editor runs in a browser.
    redirects: ['http://127.0.0.1:33418/', 'http://127.0.0.1:51920/', 'https://vscode.dev/redirect'],
  },
  {
    name: 'Cursor',
    metadata: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...BOTH_GRANTS,
      application_type: 'web',
    },
    toApprove: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
    redirects: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'http://localhost:8787/callback',
      'http://localhost:8788/callback',
    ],
  },
  {
    name: 'Claude Code',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    metadata: {
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      ...BOTH_GRANTS,
    },
    toApprove: [],
    redirects: ['http://localhost:54545/callback', 'http://127.0.0.1:60123/callback'],
  },
  {
    name: 'claude.ai',
    metadata: {
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...BOTH_GRANTS,
      scope: 'claudeai',
    },
    toApprove: ['https://claude.ai/api/mcp/auth_callback'],
    redirects: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    name: 'claude.ai at its other host',
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.com/api/mcp/auth_callback'],
      ...BOTH_GRANTS,
    },
    toApprove: ['https://claude.com/api/mcp/auth_callback'],
    redirects: ['https://claude.com/api/mcp/auth_callback'],
  },
  {
    name: 'ChatGPT',
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/K3x9_example'],
      ...BOTH_GRANTS,
    },
    toApprove: ['https://chatgpt.com/connector/oauth/K3x9_example'],
    redirects: ['https://chatgpt.com/connector/oauth/K3x9_example'],
  },
  {
    name: 'ChatGPT by metadata document',
    document: 'https://chatgpt.com/oauth/K3x9_example/client.json',
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/K3x9_example'],
      ...BOTH_GRANTS,
    },
    toApprove: ['https://chatgpt.com/connector/oauth/K3x9_example'],
    redirects: ['https://chatgpt.com/connector/oauth/K3x9_example'],
  },
  {
    name: 'Codex CLI',
    metadata: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:49321/callback/Zt4fVx'],
      ...BOTH_GRANTS,
    },
    toApprove: [],
    redirects: ['http://127.0.0.1:49321/callback/Zt4fVx', 'http://127.0.0.1:49400/callback/Zt4fVx'],
  },
  {
    name: 'mcp-remote',
    metadata: {
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.29',
      redirect_uris: ['http://localhost:18047/oauth/callback'],
      ...BOTH_GRANTS,
    },
    toApprove: [],
    redirects: ['http://localhost:18047/oauth/callback'],
  },
  {
    name: 'MCP Inspector',
    metadata: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
      ...BOTH_GRANTS,
    },
    toApprove: [],
    redirects: ['http://127.0.0.1:6276/oauth/callback'],
  },
];
