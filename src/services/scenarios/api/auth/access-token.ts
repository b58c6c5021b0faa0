import { TokenExpired, TokenInvalid } from '../../contract.ts'
import type { RequestContext } from '../../pipeline/request-context.ts'
import type { Account } from './people.ts'
import type { SigningKey } from './signing.ts'

const AUDIENCE = 'nonet-frontend'
const CLOCK_TOLERANCE_SECONDS = 5
const SECOND_MS = 1000

/** Loads jose at the first token, because most processes issue no tokens. */
const loadJose = () => import('jose')

async function importKey({ jwk, algorithm }: SigningKey) {
  const { importJWK } = await loadJose()
  return importJWK(jwk, algorithm)
}

export interface Claims {
  readonly person: number
  readonly session: string
}

export async function signAccessToken(
  call: RequestContext,
  account: Account,
  session: string,
  seconds: number
): Promise<string> {
  const key = await call.context.signing.key()
  const { SignJWT } = await loadJose()
  const issued = Math.floor(call.now() / SECOND_MS)
  const { email, role, first_name, last_name } = account
  const name = `${first_name} ${last_name}`.trim()
  return new SignJWT({ ws: call.workspaceId, email, name, role })
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'JWT' })
    .setIssuer(call.base)
    .setAudience(AUDIENCE)
    .setSubject(String(account.id))
    .setIssuedAt(issued)
    .setExpirationTime(issued + seconds)
    .setJti(session)
    .sign(await importKey(key))
}

/** Checks algorithm, key, issuer and workspace, and expiry by the workspace's clock. */
export async function verifyAccessToken(call: RequestContext, token: string): Promise<Claims> {
  const key = await call.context.signing.key()
  const { jwtVerify, errors } = await loadJose()
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        if (kid !== key.kid) throw new TokenInvalid()
        return verificationKey(key)
      },
      {
        algorithms: [key.algorithm],
        issuer: call.base,
        audience: AUDIENCE,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(call.now()),
        requiredClaims: ['sub', 'jti', 'exp', 'ws']
      }
    )
    if (payload.ws !== call.workspaceId) throw new TokenInvalid()
    return { person: Number(payload.sub), session: String(payload.jti) }
  } catch (cause) {
    throw cause instanceof errors.JWTExpired ? new TokenExpired() : new TokenInvalid({ cause })
  }
}

async function verificationKey({ jwk, ...key }: SigningKey) {
  // The private part of Ed25519 and RSA keys must not be used for verification.
  const { d: _, p: __, q: ___, dp: ____, dq: _____, qi: ______, ...open } = jwk
  return importKey({ ...key, jwk: open })
}
