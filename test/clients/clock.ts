import { vi } from 'vitest';

/** A revoked connection is refused no later than this, although its tokens are self-contained. */
export const REVOCATION_SECONDS = 60;
export const MCP_TOKEN_SECONDS = 900;

/** Moves the clocks of the service and of the client: those that tell the time, and those that count it. */
export function advance(seconds: number): void {
  const counted = performance.now() + seconds * 1000;
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] });
  vi.spyOn(performance, 'now').mockReturnValue(counted);
}

export function resetClock(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
}
