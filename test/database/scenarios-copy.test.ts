/** A workspace goes on where it was when its tables move from files to PostgreSQL. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, EVE, talkTo } from '../contract/scenarios-scene.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

test('records, sessions, counters and rules move with a workspace', async () => {
  using folder = temporaryFolder()
  using other = temporaryFolder()
  await using database = await temporaryDatabase()
  const onFiles = ['scenarios', '--quiet', '--data', folder.path]
  const onPostgres = ['scenarios', '--quiet', '--data', other.path, '--database', database.url]
  const person = { email: 'mover@example.org', password: 'x' }
  const publicUrl = ['--public-url', 'scenarios=http://scenarios.example']
  const first = await launchLoadedNonet([...onFiles, ...publicUrl])
  let talk = talkTo(first.ready.services.scenarios ?? '')
  const { token } = await talk.get('POST /w/moves/api/register', person)
  const { accessToken, refreshToken } = await talk.get('POST /w/moves/api/auth/login', EVE)
  assert.equal((await talk.get('POST /w/moves/api/users', { n: 1 })).id, '14')
  await talk.ask('DELETE /w/moves/api/users/14')
  assert.equal((await talk.ask('GET /w/moves/api/users?scenario=fail-first:2')).status, 503)
  const rules = [{ path: '/api/x', scenario: 'gone' }]
  await talk.get('PUT /_workspaces/moves/rules', rules, bearer(first.ready.token ?? ''))
  await first.end()

  const there = await runNonet(['copy', '--data', folder.path, '--to', database.url])
  assert.equal(there.code, 0, there.stderr)
  const second = await launchLoadedNonet([...onPostgres, ...publicUrl])
  talk = talkTo(second.ready.services.scenarios ?? '')
  for (const each of [token, accessToken]) {
    await talk.get('GET /w/moves/api/me', undefined, bearer(each))
  }
  await talk.get('POST /w/moves/api/auth/refresh', { refreshToken })
  assert.equal((await talk.get('POST /w/moves/api/users', { n: 2 })).id, '15', 'no number twice')
  assert.equal((await talk.get('POST /w/moves/api/users', { n: 3 })).id, '16')
  const statuses = []
  for (let n = 0; n < 2; n++) {
    statuses.push((await talk.ask('GET /w/moves/api/users?scenario=fail-first:2')).status)
  }
  assert.deepEqual(statuses, [503, 200])
  assert.equal((await talk.ask('GET /w/moves/api/x')).status, 410)
  await second.end()
})
