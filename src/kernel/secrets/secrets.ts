import type { SecretKeys } from './keys.ts'
import { openValue, sealValue } from './seal.ts'

/** Seals values of a service for its tables. */
export interface Secrets {
  /** A text that only `open` with the same purpose turns into the value again. */
  seal: (purpose: string, value: Uint8Array | string) => string
  /** Throws `SecretUnreadable`. */
  open: (purpose: string, sealed: string) => Buffer
}

export function createSecrets(service: string, keys: SecretKeys): Secrets {
  return {
    seal: (purpose, value) => sealValue(keys[0], { service, purpose }, value),
    open: (purpose, sealed) => openValue(keys, { service, purpose }, sealed)
  }
}
