import assert from 'node:assert/strict'

/** The Node versions that the package supports. */
export function nodeBinaries(): readonly { version: string; path: string }[] {
  const node22 = process.env.NONET_NODE22
  assert.ok(node22, 'NONET_NODE22 is set by npm test')
  return [
    { version: '22', path: node22 },
    { version: '24', path: process.execPath }
  ]
}
