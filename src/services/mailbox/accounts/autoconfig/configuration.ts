/** Servers of an email address, as they are found. */

export interface FoundServer {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly user: string
}

export interface AppPassword {
  readonly required: boolean
  readonly provider?: string
  readonly instructions?: string
}

export interface FoundServers {
  readonly imap?: FoundServer | undefined
  readonly smtp?: FoundServer | undefined
  readonly appPassword?: AppPassword
}

export interface EmailAddress {
  readonly address: string
  readonly localPart: string
  /** In ASCII and lower case. */
  readonly domain: string
}
