/** Sign-in of nodemailer, which itself knows XOAUTH2 only with its own requests for tokens. */
import type {
  SMTPConnectionAuth,
  SMTPConnectionCustomAuthContext,
  SMTPConnectionCustomAuthHandlers
} from 'nodemailer/lib/smtp-connection'
import type { MailServer, SignIn } from '../accounts/servers.ts'

export interface SmtpAuth {
  /** Undefined if the server needs no sign-in. */
  readonly auth?: SMTPConnectionAuth
  readonly customAuth?: SMTPConnectionCustomAuthHandlers
}

type TokenSignIn = Extract<SignIn, { accessToken: string }>
type Target = Pick<MailServer, 'host' | 'port'>

/** RFC 7628; the name of the handler, also for XOAUTH2. */
const METHOD = 'OAUTHBEARER'
const CONTINUE = 334
const ACCEPTED = 235

/** OAUTHBEARER sends host and port of the server. */
export function smtpAuthOf(signIn: SignIn | undefined, target: Target): SmtpAuth {
  if (signIn === undefined) return {}
  const { user } = signIn
  if ('pass' in signIn) return { auth: { user, pass: signIn.pass } }
  return {
    auth: { type: 'custom', method: METHOD, user },
    customAuth: { [METHOD]: (exchange) => signInByToken(signIn, target, exchange) }
  }
}

async function signInByToken(
  { user, accessToken }: TokenSignIn,
  { host, port }: Target,
  { authMethods, sendCommand }: SMTPConnectionCustomAuthContext
): Promise<void> {
  // nodemailer lists only mechanisms that it knows.
  const isXoauth2 = authMethods.includes('XOAUTH2')
  const fields = isXoauth2
    ? [`user=${user}`, `auth=Bearer ${accessToken}`]
    : [`n,a=${saslName(user)},`, `host=${host}`, `port=${port}`, `auth=Bearer ${accessToken}`]
  const payload = Buffer.from(`${fields.join('\x01')}\x01\x01`).toString('base64')
  let { status } = await sendCommand(`AUTH ${isXoauth2 ? 'XOAUTH2' : METHOD} ${payload}`)
  // The server describes the error and expects an empty response before it rejects the sign-in.
  if (status === CONTINUE) ({ status } = await sendCommand(isXoauth2 ? '' : 'AQ=='))
  if (status !== ACCEPTED) throw new Error('Invalid login')
}

/** RFC 5801, section 4. */
function saslName(user: string): string {
  return user.replaceAll('=', '=3D').replaceAll(',', '=2C')
}
