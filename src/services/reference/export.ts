import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ExportOptions } from '../../kernel/service.ts'
import { PAGE_SIZE, TYPES, type TypeName } from './contract.ts'
import { chooseFolder, openUniverse } from './dataset/folder.ts'
import type { Universe } from './dataset/universe.ts'
import { createEndpoints } from './endpoints.ts'
import { drawImage } from './images/draw.ts'
import { defaultView } from './query/view.ts'
import { createWriter, type Write } from './record.ts'
import { defaultResourceRequest } from './resource-request.ts'

/** Content by path; static file hosts serve `index.json` for a folder. */
type Tree = Map<string, string>

export async function exportTree(
  to: string,
  { from, folder, baseUrl, settings }: ExportOptions
): Promise<string> {
  const base = baseUrl.replace(/\/+$/, '')
  const told = from ?? (typeof settings.data === 'string' ? settings.data : undefined)
  const universe = await openUniverse(chooseFolder(told, folder))
  const tree = createTree(universe, base, settings.units !== 'off')
  for (const [path, content] of tree) {
    const file = join(to, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return `Wrote ${tree.size} files to ${to}; serve them at ${base}/api/.`
}

function createTree(universe: Universe, base: string, units: boolean): Tree {
  const write = createWriter(universe, base, defaultView(units))
  const { root, everything, schema } = createEndpoints(universe, units)
  const resource = defaultResourceRequest(base)
  const tree: Tree = new Map([
    ['api/index.json', JSON.stringify(root.json(resource))],
    ['api/all.json', JSON.stringify(everything.json(resource))]
  ])
  for (const type of TYPES) {
    tree.set(`api/${type}/schema/index.json`, JSON.stringify(schema(type).json(resource)))
    addRecords(tree, universe, type, write)
    addPages(tree, universe, type, base, write)
  }
  return tree
}

function addRecords(tree: Tree, { types }: Universe, type: TypeName, write: Write): void {
  for (const entry of types[type].values()) {
    tree.set(`api/${type}/${entry.id}/index.json`, JSON.stringify(write(type, entry)))
    tree.set(`api/${type}/${entry.id}/image.svg`, drawImage(type, entry))
  }
}

/** A static file host ignores the query, so page 2 is at `page/2/` and page 1 at the list. */
function addPages(
  tree: Tree,
  { types }: Universe,
  type: TypeName,
  base: string,
  write: Write
): void {
  const entries = [...types[type].values()]
  const pages = Math.max(1, Math.ceil(entries.length / PAGE_SIZE))
  const path = (page: number) => (page === 1 ? `api/${type}/` : `api/${type}/page/${page}/`)
  for (let page = 1; page <= pages; page += 1) {
    const shown = entries.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    const list = {
      count: entries.length,
      next: page < pages ? `${base}/${path(page + 1)}` : null,
      previous: page > 1 ? `${base}/${path(page - 1)}` : null,
      results: shown.map((entry) => write(type, entry))
    }
    tree.set(`${path(page)}index.json`, JSON.stringify(list))
  }
}
