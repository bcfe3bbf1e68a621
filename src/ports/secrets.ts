/** Random secrets that every process of an installation shares, made on first use. */
export interface Secrets {
  /** 32 random bytes under this name; the same for every caller, also when two ask for the first time at once. */
  secret(name: string): Promise<Uint8Array>;
}
