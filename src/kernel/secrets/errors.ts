/** A sealed value cannot be opened; the message never contains a part of it. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable'
}

/** Not in the format of sealed values. */
export class SecretMalformed extends SecretUnreadable {
  override name = 'SecretMalformed'
}

/** Sealed with a key that is not at hand. */
export class SecretKeyUnknown extends SecretUnreadable {
  override name = 'SecretKeyUnknown'
  readonly keyId: string

  constructor(keyId: string) {
    super(`The value is sealed with the key ${keyId}, which is not available`)
    this.keyId = keyId
  }
}

/**
 * The value was changed, or sealed for another service or purpose: authenticated encryption does
 * not tell these apart.
 */
export class SecretAltered extends SecretUnreadable {
  override name = 'SecretAltered'
}
