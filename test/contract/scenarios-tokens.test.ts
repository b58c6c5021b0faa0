/** I-4, tokens: sessions, refresh, revocation, and what attackers try. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify, SignJWT } from 'jose'
import { start } from '../../src/host/start.ts'
import { totpAt } from '../../src/services/scenarios/api/auth/totp.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { bearer, EVE, scenes, seen, talkTo } from './scenarios-scene.ts'

interface Pair {
  accessToken: string
  refreshToken: string
}

const INVALID = [401, { error: 'Invalid token' }]
const REVOKED = [401, { error: 'Token revoked' }]
const EXPIRED = [401, { error: 'Token expired' }]

function parts(token: string) {
  const [head = '', claims = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { head: read(head), claims: read(claims) }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

scenes('I-4, sessions', {}, (talk) => {
  for (const place of ['', '/w/sessions']) {
    test(`a login gives a pair and says who it is for (${place || 'public'})`, async () => {
      const { get, ask, url } = talk()
      const answer = await ask(`POST ${place}/api/auth/login`, EVE)
      const { accessToken, refreshToken, user, ...rest } = JSON.parse(answer.text)
      assert.deepEqual(rest, { tokenType: 'Bearer', expiresIn: 900 })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('set-cookie'), null)
      assert.deepEqual(user, {
        id: 4,
        email: EVE.email,
        first_name: 'Eve',
        last_name: 'Holt',
        avatar: `${url}/img/faces/4-image.jpg`,
        role: 'user',
        email_verified: true
      })
      assert.match(refreshToken, /^[\w-]{43}$/)
      const me = await get(`GET ${place}/api/me`, undefined, bearer(accessToken))
      assert.deepEqual(me.data, user)
      const { head, claims } = parts(accessToken)
      assert.equal(head.alg, 'EdDSA')
      const { iat, exp, jti, ...stated } = claims
      assert.deepEqual(stated, {
        iss: url,
        aud: 'nonet-frontend',
        sub: '4',
        ws: place === '' ? '' : 'sessions',
        email: EVE.email,
        name: 'Eve Holt',
        role: 'user'
      })
      assert.equal(exp - iat, 900)
      assert.match(jti, /^[\w-]{22}$/)
    })

    test(`a refresh token works once; its second use ends the session (${place || 'public'})`, async () => {
      const { get, ask } = talk()
      const first: Pair = await get(`POST ${place}/api/auth/login`, EVE)
      const { refreshToken } = first
      const second: Pair = await get(`POST ${place}/api/auth/refresh`, { refreshToken })
      assert.notEqual(second.refreshToken, refreshToken)
      await get(`GET ${place}/api/me`, undefined, bearer(second.accessToken))
      const replayed = await ask(`POST ${place}/api/auth/refresh`, { refreshToken })
      assert.deepEqual(seen(replayed), REVOKED)
      assert.match(replayed.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
      const later = await ask(`POST ${place}/api/auth/refresh`, {
        refreshToken: second.refreshToken
      })
      assert.deepEqual(seen(later), REVOKED)
      for (const { accessToken } of [first, second]) {
        assert.deepEqual(
          seen(await ask(`GET ${place}/api/me`, undefined, bearer(accessToken))),
          REVOKED
        )
      }
    })
  }

  test('of parallel refreshes with one token not two succeed', async () => {
    const { get, ask } = talk()
    const { refreshToken }: Pair = await get('POST /w/parallel/api/auth/login', EVE)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask('POST /w/parallel/api/auth/refresh', { refreshToken }))
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('logging out ends the session, by either token', async () => {
    const { get, ask } = talk()
    const one: Pair = await get('POST /w/out/api/auth/login', EVE)
    const two: Pair = await get('POST /w/out/api/auth/login', EVE)
    await get('POST /w/out/api/auth/logout', undefined, bearer(one.accessToken))
    await get('POST /w/out/api/logout', { refreshToken: two.refreshToken })
    for (const { accessToken, refreshToken } of [one, two]) {
      assert.deepEqual(
        seen(await ask('GET /w/out/api/me', undefined, bearer(accessToken))),
        REVOKED
      )
      assert.deepEqual(seen(await ask('POST /w/out/api/auth/refresh', { refreshToken })), REVOKED)
    }
    assert.deepEqual(seen(await ask('POST /w/out/api/auth/logout', '{bad')), [200, {}])
  })

  test('a token lives as long as was asked for, by the clock of the workspace', async () => {
    const { get, ask } = talk()
    await get('POST /_workspaces', { id: 'expiry', now: '2030-01-01T00:00:00.000Z' })
    const { accessToken, refreshToken, expiresIn } = await get('POST /w/expiry/api/auth/login', {
      ...EVE,
      expiresInSecs: 60
    })
    assert.equal(expiresIn, 60)
    const me = () => ask('GET /w/expiry/api/me', undefined, bearer(accessToken))
    assert.equal((await me()).status, 200)
    await get('POST /_workspaces/expiry/clock', { advance_ms: 64_000 })
    assert.equal((await me()).status, 200, 'five seconds of tolerance')
    await get('POST /_workspaces/expiry/clock', { advance_ms: 2000 })
    assert.deepEqual(seen(await me()), EXPIRED)
    const next: Pair = await get('POST /w/expiry/api/auth/refresh', { refreshToken })
    await get('GET /w/expiry/api/me', undefined, bearer(next.accessToken))
    await get('POST /_workspaces/expiry/clock', { advance_ms: 31 * 86_400_000 })
    const late = await ask('POST /w/expiry/api/auth/refresh', { refreshToken: next.refreshToken })
    assert.deepEqual(seen(late), EXPIRED)
    for (const expiresInSecs of [0, -1, 2_592_001, 1.5, 'x', {}]) {
      const login = await get('POST /w/expiry/api/auth/login', { ...EVE, expiresInSecs })
      assert.equal(login.expiresIn, 900)
    }
  })

  test('cookies: set when asked for, sent back, cleared; the origin is named', async () => {
    const { ask } = talk()
    const origin = { origin: 'http://localhost:5173' }
    const login = await ask('POST /w/cookies/api/auth/login?cookie=1', EVE, origin)
    const set = login.headers.getSetCookie()
    assert.equal(set.length, 2)
    for (const cookie of set)
      assert.match(cookie, /; Path=\/w\/cookies; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    assert.equal(login.headers.get('access-control-allow-origin'), 'http://localhost:5173')
    assert.equal(login.headers.get('access-control-allow-credentials'), 'true')
    const jar = { ...origin, cookie: set.map((cookie) => cookie.split(';')[0]).join('; ') }
    assert.equal((await ask('GET /w/cookies/api/me', undefined, jar)).status, 200)
    const list = await ask('GET /w/cookies/api/users', undefined, jar)
    assert.equal(list.headers.get('access-control-allow-origin'), 'http://localhost:5173')
    const refreshed = await ask('POST /w/cookies/api/auth/refresh', undefined, jar)
    assert.equal(refreshed.status, 200)
    assert.equal(refreshed.headers.getSetCookie().length, 2)
    const out = await ask('POST /w/cookies/api/auth/logout', undefined, jar)
    for (const cookie of out.headers.getSetCookie())
      assert.match(cookie, /=; Path=\/w\/cookies; Max-Age=0;/)
    assert.deepEqual(seen(await ask('GET /w/cookies/api/me', undefined, jar)), REVOKED)
    const plain = await ask('POST /api/auth/login?cookie=1', EVE)
    for (const cookie of plain.headers.getSetCookie()) assert.match(cookie, /; Path=\/; /)
  })

  test('registering gives a session at once', async () => {
    const { ask, get } = talk()
    const person = { email: 'n@example.org', password: 'x', first_name: 'N' }
    const answer = await ask('POST /w/new/api/auth/register', person)
    assert.equal(answer.status, 201)
    const { accessToken, user } = JSON.parse(answer.text)
    assert.deepEqual([user.id, user.first_name, user.email_verified], [13, 'N', false])
    await get('GET /w/new/api/me', undefined, bearer(accessToken))
    const again = await ask('POST /w/new/api/auth/register', person)
    assert.deepEqual(seen(again), [403, { error: 'User already exists' }])
    const nobody = await ask('POST /api/auth/register', person)
    assert.equal(nobody.status, 403)
    assert.equal((await ask('POST /api/auth/register', EVE)).status, 201)
  })

  test('a second factor: the fixed code, the code of now, five tries', async () => {
    const { ask, get } = talk()
    const tagged = { ...EVE, email: 'eve.holt+mfa@reqres.in' }
    const challenge = async () => {
      const answer = await ask('POST /w/mfa/api/auth/login', tagged)
      const { error, mfa } = JSON.parse(answer.text)
      assert.deepEqual([answer.status, error], [403, 'Second factor required'])
      assert.equal(answer.headers.get('x-error-code'), 'mfa_required')
      const { challenge_id, ...rest } = mfa
      assert.deepEqual(rest, { methods: ['totp'], expires_in: 300, verify: '/api/auth/mfa' })
      return challenge_id as string
    }
    const verify = (challenge_id: string, code: string) =>
      ask('POST /w/mfa/api/auth/mfa', { challenge_id, code })
    const first = await challenge()
    assert.deepEqual(seen(await verify(first, '000000')), [403, { error: 'Invalid code' }])
    const passed = await verify(first, '123456')
    assert.equal(passed.status, 200)
    await get('GET /w/mfa/api/me', undefined, bearer(JSON.parse(passed.text).accessToken))
    assert.equal((await verify(first, '123456')).status, 403, 'a challenge is answered once')
    assert.equal((await verify(await challenge(), totpAt(Date.now()))).status, 200)
    const worn = await challenge()
    for (let n = 0; n < 5; n++) await verify(worn, '000000')
    const gone = [403, { error: 'Unknown or expired challenge' }]
    assert.deepEqual(seen(await verify(worn, '123456')), gone)
    const late = await challenge()
    await get('POST /_workspaces/mfa/clock', { advance_ms: 300_000 })
    assert.deepEqual(seen(await verify(late, '123456')), gone)
    assert.deepEqual(seen(await verify('nonsense', '123456')), gone)
  })

  test('the published keys verify a token with a library of somebody else', async () => {
    const { get, url } = talk()
    const { accessToken }: Pair = await get('POST /api/auth/login', EVE)
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`), {
      timeoutDuration: 60_000
    })
    const { payload } = await jwtVerify(accessToken, keys, {
      issuer: url,
      audience: 'nonet-frontend'
    })
    assert.equal(payload.sub, '4')
    const { keys: published } = await get('GET /.well-known/jwks.json')
    assert.deepEqual(Object.keys(published[0]).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })
})

scenes('I-4, what attackers try with tokens', {}, (talk) => {
  test('forged, foreign and stolen tokens are refused', async () => {
    const { get, ask, url } = talk()
    const { accessToken }: Pair = await get('POST /w/victim/api/auth/login', EVE)
    const { head, claims } = parts(accessToken)
    const [, , signature = ''] = accessToken.split('.')
    const { keys } = await get('GET /.well-known/jwks.json')
    const own = generateKeyPairSync('ed25519').privateKey
    const signed = (header: object, payload: Record<string, unknown>) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', ...header }).sign(own)
    const confused = `${encode({ ...head, alg: 'HS256' })}.${encode(claims)}`
    const mac = createHmac('sha256', Buffer.from(keys[0].x, 'base64url'))
      .update(confused)
      .digest('base64url')
    const attacks: Record<string, string> = {
      'alg none': `${encode({ ...head, alg: 'none' })}.${encode(claims)}.`,
      'alg none with a signature': `${encode({ ...head, alg: 'none' })}.${encode(claims)}.${signature}`,
      'alg NONE': `${encode({ ...head, alg: 'NONE' })}.${encode(claims)}.`,
      'the public key as a shared secret': `${confused}.${mac}`,
      'another key under our key id': await signed({ kid: head.kid }, claims),
      'another key under its own id': await signed({ kid: 'foreign' }, claims),
      'another key without an id': await signed({}, claims),
      'a key in the header': await signed(
        { kid: head.kid, jwk: generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) },
        claims
      ),
      'other claims': `${encode(head)}.${encode({ ...claims, sub: '1', role: 'admin' })}.${signature}`,
      'no signature': `${encode(head)}.${encode(claims)}.`,
      'two parts': `${encode(head)}.${encode(claims)}`,
      nonsense: 'a.b.c',
      'a refresh token': (await get('POST /w/victim/api/auth/login', EVE)).refreshToken,
      'a sample that is none': 'QpwL5tke4Pnpja7X13',
      'a sample with more': 'QpwL5tke4Pnpja7X4x',
      'a random token of nobody': `wst_${'a'.repeat(32)}`
    }
    await get('GET /w/victim/api/me', undefined, bearer(accessToken))
    for (const [name, token] of Object.entries(attacks)) {
      const answer = await ask('GET /w/victim/api/me', undefined, bearer(token))
      assert.deepEqual(seen(answer), INVALID, name)
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^Bearer error="invalid_token"/,
        name
      )
    }
    for (const header of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b']) {
      const answer = await ask('GET /w/victim/api/me', undefined, { authorization: header })
      assert.deepEqual(seen(answer), INVALID, header)
    }
    assert.deepEqual(seen(await ask('GET /w/victim/api/me')), [401, { error: 'Missing token' }])
    const elsewhere = url.replace('127.0.0.1', 'localhost')
    const other = await fetch(`${elsewhere}/w/victim/api/me`, { headers: bearer(accessToken) })
    assert.equal(other.status, 401, 'another issuer')
  })

  test('a token of one workspace opens no other, nor public mode, nor the reverse', async () => {
    const { get, ask } = talk()
    const person = { email: 'p@example.org', password: 'x' }
    const jwt: Pair = await get('POST /w/mine/api/auth/register', person)
    const { token: wst } = await get('POST /w/mine/api/login', person)
    const open: Pair = await get('POST /api/auth/login', EVE)
    // The same number is somebody else there.
    await get('POST /w/yours/api/auth/register', { ...person, email: 'q@example.org' })
    for (const token of [jwt.accessToken, wst]) {
      await get('GET /w/mine/api/me', undefined, bearer(token))
      for (const path of ['/w/yours/api/me', '/api/me']) {
        assert.deepEqual(seen(await ask(`GET ${path}`, undefined, bearer(token))), INVALID, path)
      }
    }
    const reverse = await ask('GET /w/mine/api/me', undefined, bearer(open.accessToken))
    assert.deepEqual(seen(reverse), INVALID)
    for (const path of ['/w/yours/api/auth/refresh', '/api/auth/refresh']) {
      const { refreshToken } = jwt
      assert.deepEqual(seen(await ask(`POST ${path}`, { refreshToken })), INVALID, path)
    }
    await get('POST /w/mine/api/auth/refresh', { refreshToken: jwt.refreshToken })
  })

  test('identity comes from the token alone', async () => {
    const { get } = talk()
    const { accessToken }: Pair = await get('POST /w/alone/api/auth/login', EVE)
    for (const path of ['/w/alone/api/me?id=1&user_id=1&sub=1', '/w/alone/api/me?customerId=1']) {
      const me = await get(`GET ${path}`, undefined, { ...bearer(accessToken), 'x-user-id': '1' })
      assert.equal(me.data.id, 4)
    }
  })

  test('whoever is deleted has no valid token any more', async () => {
    const { get, ask } = talk()
    const { accessToken }: Pair = await get('POST /w/removed/api/auth/login', EVE)
    await ask('DELETE /w/removed/api/users/4')
    for (const token of [accessToken, 'QpwL5tke4Pnpja7X4']) {
      assert.deepEqual(seen(await ask('GET /w/removed/api/me', undefined, bearer(token))), REVOKED)
    }
    assert.deepEqual(seen(await ask('POST /w/removed/api/login', EVE)), [
      403,
      { error: 'user not found' }
    ])
  })
})

describe('the signing key', () => {
  test('survives a restart; a seed makes it the same everywhere', async () => {
    using folder = temporaryFolder()
    const login = async (options: object) => {
      const nonet = await start({
        services: ['scenarios'],
        publicUrl: { scenarios: 'http://s.example' },
        ...options
      })
      const { get, ask } = talkTo(nonet.scenarios.url)
      const { accessToken }: Pair = await get('POST /api/auth/login', EVE)
      return { accessToken, kid: parts(accessToken).head.kid, ask, stop: nonet.stop }
    }
    const first = await login({ data: folder.path })
    await first.stop()
    const second = await login({ data: folder.path })
    assert.equal(second.kid, first.kid)
    assert.equal(
      (await second.ask('GET /api/me', undefined, bearer(first.accessToken))).status,
      200
    )
    await second.stop()
    const seeded = await login({ scenarios: { seed: '7' } })
    const again = await login({ scenarios: { seed: '7' } })
    const other = await login({ scenarios: { seed: '8' } })
    assert.equal(again.kid, seeded.kid)
    assert.notEqual(other.kid, seeded.kid)
    await Promise.all([seeded.stop(), again.stop(), other.stop()])
  })

  for (const tokenAlgorithm of ['RS256', 'HS256']) {
    test(`${tokenAlgorithm} on demand`, async () => {
      await using nonet = await start({ services: ['scenarios'], scenarios: { tokenAlgorithm } })
      const { get } = talkTo(nonet.scenarios.url)
      const { accessToken }: Pair = await get('POST /api/auth/login', EVE)
      assert.equal(parts(accessToken).head.alg, tokenAlgorithm)
      await get('GET /api/me', undefined, bearer(accessToken))
      const { keys } = await get('GET /.well-known/jwks.json')
      assert.equal(keys.length, tokenAlgorithm === 'RS256' ? 1 : 0)
      assert.ok(!JSON.stringify(keys).includes('"d"'))
    })
  }
})
