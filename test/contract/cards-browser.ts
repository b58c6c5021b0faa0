import assert from 'node:assert/strict'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { actionWithKey } from '../../src/kernel/form-token.ts'
import type { Answer } from '../support/contract.ts'
import { NAVIGATION } from '../support/navigation.ts'
import type { CardsRequest, Site } from './cards-site.ts'

/** What a browser with a session sends. */
export interface SignedInBrowser {
  cookie: string
  get: (path: string, request?: CardsRequest) => Promise<Answer>
  /** As a form of the service's own pages does it. */
  post: (path: string, fields: Record<string, string>, request?: CardsRequest) => Promise<Answer>
}

/** Sends the form of `/sign-in`. */
export function sendToken(site: Site, token: string, origin = site.url): Promise<Answer> {
  const body = new URLSearchParams({ pasted: token })
  return site.ask('/sign-in', { method: 'POST', body, headers: { origin } })
}

export async function signIn(site: Site, token: string): Promise<SignedInBrowser> {
  const { status, headers } = await sendToken(site, token)
  assert.equal(status, 303)
  return browserWith(site, headers.get('set-cookie'))
}

/** Opens the one-time link of the console. */
export async function signInAtConsole(site: Site): Promise<SignedInBrowser> {
  const opened = await fetch(`${site.console}/open/cards`, { redirect: 'manual' })
  const followed = await fetch(opened.headers.get('location') ?? '', { redirect: 'manual' })
  assert.equal(followed.status, 303)
  return browserWith(site, followed.headers.get('set-cookie'))
}

function browserWith(site: Site, setCookie: string | null): SignedInBrowser {
  const [cookie = ''] = (setCookie ?? '').split(';')
  const [, secret = ''] = cookie.split('=')
  return {
    cookie,
    get: (path, { headers, ...request } = {}) =>
      site.ask(path, { ...request, headers: { cookie, ...headers } }),
    post: (path, fields, { headers, ...request } = {}) =>
      site.ask(actionWithKey(secret, path), {
        method: 'POST',
        body: new URLSearchParams(fields),
        ...request,
        headers: { cookie, origin: site.url, ...headers }
      })
  }
}

/** Opens a page as a person does. */
export async function navigate(
  site: Site,
  path: string,
  headers: Record<string, string> = {}
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  get(site.url + path, { headers: { ...NAVIGATION, ...headers } }, async (response) =>
    resolve({ status: response.statusCode ?? 0, text: await text(response) })
  ).once('error', reject)
  return promise
}
