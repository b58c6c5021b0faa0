/** Everything that the SMTP server tells clients itself; the rest is of `smtp-server`. */

/** An error with its reply code. */
export class SmtpError extends Error {
  override name = 'SmtpError'
  readonly responseCode: number
  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

/** Name of the server in its greeting. */
export const SERVER_NAME = 'nonet.localhost'
export const GREETING = 'sandbox: mail is stored here and never sent on'
export const ACCEPTED = 'OK: message stored'
export const AUTHENTICATION_REQUIRED = 'Error: authentication required'

export const TOO_MANY_CONNECTIONS = '421 Too many connections of this client\r\n'

const SHUTTING_DOWN = 'nonet is stopping'
const TLS_UNAVAILABLE = 'Error: TLS not available now'

/** Code and text for `SMTPConnection.send`. */
export const STOPPING = [421, SHUTTING_DOWN] as const
export const NO_TLS = [454, TLS_UNAVAILABLE] as const

export const wrongCredentials = () => new SmtpError(535, 'Error: wrong user name or password')
export const signInUnavailable = () =>
  new SmtpError(454, 'Error: credentials cannot be checked now')
export const malformedAddress = () => new SmtpError(553, 'Error: this address is not allowed')
export const unknownParameter = () => new SmtpError(555, 'Error: a parameter is not supported')
export const utf8Required = () => new SmtpError(553, 'Error: this address requires SMTPUTF8')
export const messageTooLarge = (most: number) =>
  new SmtpError(552, `Error: message exceeds maximum size of ${most} bytes`)
/** Ends the connection, because the message does not seem to end. */
export const messageEndless = (most: number) =>
  new SmtpError(421, `Error: message exceeds maximum size of ${most} bytes`)
export const storageFull = () => new SmtpError(452, 'Error: no disk space left')
export const notStored = () => new SmtpError(451, 'Error: message not stored, try again later')
