import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

test('reset deletes only the sample of statuses, or brings it back', async () => {
  using folder = temporaryFolder()
  const data = ['--data', folder.path]
  await using nonet = await launchLoadedNonet(['statuses', ...data])
  const statusOf = async (path: string) =>
    (await fetch(`${nonet.ready.services.statuses}${path}`)).status
  const removed = async () => (await runNonet(['reset', 'statuses', '--sample', ...data])).stdout
  assert.equal(await statusOf('/marit'), 200)
  assert.equal(await removed(), 'Deleted the sample account\n')
  assert.equal(await statusOf('/marit'), 404)
  assert.equal(await removed(), 'There is no sample account\n')
  assert.equal((await runNonet(['reset', 'statuses', ...data])).code, 0)
  assert.equal(await statusOf('/marit'), 200)
})
