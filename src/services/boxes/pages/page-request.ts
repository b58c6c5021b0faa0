import { findKey } from '../http/credentials.ts'

export const TABS = ['records', 'changes', 'schema', 'indexes', 'keys', 'exchange'] as const
export type Tab = (typeof TABS)[number]

/** What a page shows, and the key that was sent with the request. */
export interface PageRequest {
  readonly box: string
  readonly tab: Tab
  /** Filter as it was typed: `q`, or `where` if it begins with a brace. */
  readonly q: string
  readonly cursor: string
  /** Id of the record beside the list; empty while no record is open. */
  readonly record: string
  readonly view: 'table' | 'json'
  /** What the panel beside the list is for. */
  readonly mode: 'show' | 'edit' | 'new'
  /** Collection whose schema is shown; empty for that of the whole box. */
  readonly name: string
  readonly key: string | undefined
}

/** Whether the script asks for the page that it shows, to take over what has changed. */
export function isRefresh(parameters: URLSearchParams): boolean {
  return parameters.get('live') === 'true'
}

/** Parameters of a URL or fields of a form. */
export function readPageRequest(
  fields: URLSearchParams,
  headers: Parameters<typeof findKey>[0]
): PageRequest {
  const text = (name: string) => fields.get(name) ?? ''
  const [tab, view, mode] = [text('tab'), text('view'), text('mode')]
  return {
    box: text('box'),
    tab: TABS.find((one) => one === tab) ?? 'records',
    q: text('q'),
    cursor: text('cursor'),
    record: text('record'),
    view: view === 'json' ? view : 'table',
    mode: mode === 'edit' || mode === 'new' ? mode : 'show',
    name: text('name'),
    key: fields.get('key') || findKey(headers)
  }
}

const USUAL = { tab: 'records', view: 'table', mode: 'show' }

/** URL of a page; it never contains the key. */
export function pageUrl(look: Partial<PageRequest>): string {
  const parameters = new URLSearchParams(pageFields(look))
  return parameters.size === 0 ? '/' : `/?${parameters}`
}

/** What differs from the usual page, for URLs and hidden fields. */
export function pageFields({ key: _, ...look }: Partial<PageRequest>): [string, string][] {
  return Object.entries(look).filter(
    ([name, value]) => value !== '' && value !== Reflect.get(USUAL, name)
  )
}
