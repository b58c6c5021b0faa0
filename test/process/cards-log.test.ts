import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteOf } from '../contract/cards-site.ts'
import { launchNonet } from '../support/launcher.ts'

test('tokens of cards are in no line of the log, and in no error', async () => {
  await using nonet = await launchNonet(['cards', '--ephemeral'])
  const { console, services, token: admin } = nonet.ready
  const site = siteOf({
    cards: { url: services.cards ?? '', ports: {} },
    console: { url: console ?? '', token: admin }
  })
  const secret = await site.member('ada')
  const board = await site.json('/boards', { method: 'POST', token: secret, body: { name: 'B' } })
  const key = await site.publishable('ada', board.id)
  const wrong = 'c0ffee'.repeat(11).slice(0, 64)
  const texts: string[] = []
  for (const token of [secret, key, wrong, `${secret}x`]) {
    const oauth = { authorization: `OAuth oauth_consumer_key="k", oauth_token="${token}"` }
    const responses = [
      await site.api(`/members/me?key=k&token=${token}`),
      await site.api(`/boards/${board.id}/nothing?token=${token}`),
      await site.api(`/tokens/${token}/nothing/here?token=${token}`),
      await site.api(`/tokens/${token}`, { token: secret }),
      await site.api(`/tokens/${token}/webhooks/`, { headers: oauth }),
      await site.api(`/token/${token}/member`, { headers: oauth }),
      await site.api('/boards', { method: 'POST', body: { token, name: '' } }),
      await site.api('/boards', { method: 'POST', body: new URLSearchParams({ token }) }),
      await site.ask(`/content/${board.id}/cards?token=${token}`),
      await site.ask(`/images/x?token=${token}`),
      await site.ask(`/nothing?token=${token}`)
    ]
    texts.push(...responses.map(({ text }) => text))
  }
  const { stdout, stderr } = await nonet.end()
  assert.match(stdout, /members\/me/, 'requests are in the log')
  const told = [stdout, stderr, ...texts].join('\n')
  for (const token of [secret, key, wrong]) {
    assert.ok(!told.includes(token), told.slice(told.indexOf(token) - 200).slice(0, 300))
  }
})
