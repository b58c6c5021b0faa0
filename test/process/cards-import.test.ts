/** Import, export, check and the sample of cards as commands, on a nonet that runs and on none. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportFolder, trelloBoard, trelloCard } from '../support/cards-import.ts'
import { type Finished, launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'

function succeed({ code, stdout, stderr }: Finished): string {
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

test('a board is imported, exported and imported again, with and without a running nonet', async () => {
  using folder = temporaryFolder()
  const data = ['--data', join(folder.path, 'data')]
  const board = trelloBoard([trelloCard(10), trelloCard(11)])
  const imported = succeed(await runNonet(['import', 'cards', exportFolder(board), ...data]))
  assert.match(imported, /^Imported the board Work \(work\): cards 2 added, 0 updated, 0 unchanged/)
  const one = join(folder.path, 'one')
  const exported = succeed(await runNonet(['export', 'cards', one, ...data]))
  assert.equal(exported, `Exported 2 cards and 0 files to ${one}`)
  await using nonet = await launchLoadedNonet(['cards', ...data])
  const again = succeed(await runNonet(['import', 'cards', one, ...data]))
  assert.match(again, /cards 0 added, 0 updated, 2 unchanged/)
  const two = join(folder.path, 'two')
  succeed(await runNonet(['export', 'cards', two, '--board', 'wOrk1234', ...data]))
  assert.equal(
    readFileSync(join(two, 'board.json'), 'utf8'),
    readFileSync(join(one, 'board.json'), 'utf8')
  )
  const taken = await runNonet(['export', 'cards', two, '--board', 'work', ...data])
  assert.equal(taken.code, 1)
  assert.match(taken.stderr, /The folder two is not empty/)
  const unknown = await runNonet([
    'export',
    'cards',
    join(folder.path, 'x'),
    '--board',
    'none',
    ...data
  ])
  assert.match(unknown.stderr, /There is no board none; name its slug, id or short link/)
  const types = await runNonet(['types', 'cards', '--board', 'none', ...data])
  assert.equal(types.stderr, 'nonet: There is no board none; name its slug, id or short link\n')
  const check = await runNonet(['check', 'cards', '--strict', ...data])
  assert.equal(check.code, 1)
  assert.match(check.stdout + check.stderr, /card-10.*it is published without an image/)
  assert.equal((await fetch(`${nonet.ready.services.cards}/content/portfolio`)).status, 404)
})

test('reset deletes only the sample of cards, or brings it back', async () => {
  using folder = temporaryFolder()
  const data = ['--data', folder.path]
  const removed = async () => succeed(await runNonet(['reset', 'cards', '--sample', ...data]))
  {
    await using nonet = await launchLoadedNonet(['cards', ...data])
    const status = async () =>
      (await fetch(`${nonet.ready.services.cards}/content/portfolio/cards`)).status
    assert.equal(await status(), 200)
    assert.equal(succeed(await runNonet(['check', 'cards', ...data])), 'No problems found')
    assert.equal(await removed(), 'Deleted the sample board')
    assert.equal(await status(), 404)
    assert.equal(await removed(), 'There is no sample board')
  }
  await using nonet = await launchLoadedNonet(['cards', ...data])
  const status = async () =>
    (await fetch(`${nonet.ready.services.cards}/content/portfolio/cards`)).status
  assert.equal(await status(), 404, 'it is not stored again')
  assert.equal((await runNonet(['reset', 'cards', ...data])).code, 0)
  assert.equal(await status(), 200)
  const board = exportFolder(trelloBoard([trelloCard(10)]))
  const imported = succeed(await runNonet(['import', 'cards', board, ...data]))
  assert.match(imported, /Note: the sample board was deleted$/)
  assert.equal(await status(), 404)
})
