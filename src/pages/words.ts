import type { User } from '../accounts/directory.ts';
import type { ProtectedResource } from '../oauth/resources.ts';

/** What a scope lets a client do, in plain words; an unknown one stands for itself. */
export function scopeInWords(scope: string): string {
  return (
    {
      'mcp:read': 'Read the library: screens, flows, their images and texts',
      'mcp:tools': 'Use the search tools for you, to find and compare screens and flows',
      api: 'Use the REST API as you: search, read, and download what your plan includes',
    }[scope] ?? scope
  );
}

export function resourceInWords(resource: Pick<ProtectedResource, 'name'>): string {
  return resource.name === 'mcp' ? 'MCP server' : 'REST API';
}

/** How a person knows the account; identities of other providers may have no e-mail. */
export function accountName(user: User): string {
  return user.email ?? `Account ${user.id.slice(0, 8)}`;
}

export function planName(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}

const UNITS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `2 hours ago`, `yesterday`; `just now` within a minute. */
export function ago(moment: Date, now: Date): string {
  const seconds = Math.max(0, (now.getTime() - moment.getTime()) / 1000);
  const unit = UNITS.find(([, length]) => seconds >= length);
  return unit === undefined ? 'just now' : RELATIVE.format(-Math.floor(seconds / unit[1]), unit[0]);
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** `21 Nov 2026`, in UTC. */
export function day(moment: Date): string {
  return DATE.format(moment);
}
