import type { ServerContext } from '@modelcontextprotocol/server';
import type { Waiting } from '../library/waiting.ts';

/**
 * Sends what a use case tells of its progress to the client, if it asked for that: a call that carries a progress token
 * is answered by an event stream with notifications ahead of the result.
 */
export function progressFor({ _meta, notify }: ServerContext['mcpReq']): Waiting['onProgress'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ done, total, message }) => {
    // A token's progress must increase with each notification; an answer that is made anew begins anew.
    if (done <= last) return;
    last = done;
    const params = { progressToken, progress: done, total, message };
    // A client that cannot be told of progress has hung up, which the signal tells.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
