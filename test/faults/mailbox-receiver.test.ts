/** Receivers of webhooks that do not work for a while. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { mail, sandboxOf } from '../contract/mailbox-site.ts'
import { until } from '../support/delivery-receiver.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { openEventReceiver, type ReceiverResponse } from '../support/event-receiver.ts'
import { untilInitialized } from '../support/watching-daemon.ts'

/** 30 s of an attempt, and about 5 s until the next one. */
const PATIENCE_MS = 60_000

describe('a receiver that does not work', { concurrency: true, timeout: 300_000 }, () => {
  for (const engine of ENGINES) {
    test(`it hangs, fails, cuts the connection and returns: each event arrives, in order, on ${engine}`, async () => {
      await using receiver = await openEventReceiver()
      const nonet = await start({ services: ['mailbox'], ...engineOptions(engine) })
      try {
        const { json, deliver } = sandboxOf(nonet)
        const set = () =>
          json({
            method: 'POST',
            path: '/v1/settings',
            body: { webhooksEnabled: true, webhooks: receiver.url }
          })
        await set()
        for (const name of ['ada', 'bob']) {
          const body = { account: name, address: `${name}@example.test` }
          await json({ method: 'POST', path: '/v1/sandbox/accounts', body })
        }
        await untilInitialized(receiver, ['ada', 'bob'])
        const of = (account: string) =>
          receiver.deliveries.filter(
            ({ body }) => body.account === account && body.event === 'messageNew'
          )
        const send = (name: string, subject: string) =>
          deliver({ to: [`${name}@example.test`], source: mail(subject) })
        const responses: ReceiverResponse[] = ['hang', 500, 'cut']
        receiver.respond(({ body }) => {
          const isHit = body.account === 'ada' && body.event === 'messageNew'
          return (isHit ? responses.shift() : undefined) ?? 200
        })
        await send('ada', 'first')
        await until(() => of('ada').length === 1, 'the attempt that hangs')
        await send('ada', 'second')
        await send('bob', 'other')
        await until(() => of('bob').length === 1, 'an event of another account')
        await until(() => of('ada').length === 2, 'the next attempt', PATIENCE_MS)
        const [hung, next] = of('ada')
        const pauseMs = (next?.time ?? 0) - (hung?.time ?? 0)
        assert.ok(pauseMs >= 34_000 - 500, `30 s and at least 4 s: ${pauseMs} ms`)
        // Two more attempts, which need not wait as long.
        for (const count of [3, 4]) {
          const isWaiting = async () => {
            const { jobs } = await json<{ jobs: { delayed: number } }>({
              path: '/v1/settings/queue/notify'
            })
            return jobs.delayed === 1
          }
          await until(isWaiting, 'the end of the attempt')
          await set()
          await until(() => of('ada').length >= count, `attempt ${count}`)
        }
        await until(() => of('ada').length === 5, 'the second event')
        assert.deepEqual(
          of('ada').map(({ body, headers }) => [
            body.data.subject,
            headers['x-ee-wh-attempts-made']
          ]),
          [
            ['first', '0'],
            ['first', '1'],
            ['first', '2'],
            ['first', '3'],
            ['second', '0']
          ]
        )
        receiver.assertSingle()
      } finally {
        await nonet.stop()
      }
    })
  }
})
