/** The audit suite of GraphQL over HTTP, one test for each of its checks. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { type Nonet, start } from '../../src/host/start.ts'

const CHECKS = 61

describe('GraphQL over HTTP', () => {
  let nonet: Nonet<'countries'>
  before(async () => {
    nonet = await start({ services: ['countries'] })
  })
  after(() => nonet.stop())

  // The path is asked for when a check runs, which is after the start.
  const audits = serverAudits({ url: () => `${nonet.countries.url}/` })

  test(`the suite has ${CHECKS} checks`, () => assert.equal(audits.length, CHECKS))

  for (const audit of audits) {
    test(`${audit.id} ${audit.name}`, async () => {
      const { status, ...rest } = await audit.fn()
      assert.equal(status, 'ok', 'reason' in rest ? rest.reason : '')
    })
  }

  test('the bare host and /graphql answer alike', async () => {
    for (const path of ['/graphql', '/graphql/']) {
      const results = await Promise.all(
        serverAudits({ url: nonet.countries.url + path }).map((audit) => audit.fn())
      )
      assert.deepEqual(
        results.filter(({ status }) => status !== 'ok').map(({ id }) => id),
        []
      )
    }
  })
})
