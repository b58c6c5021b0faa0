/** Of one form. */
export const MAX_FILES = 10

/** Where the forms of a card are sent, below the root. */
export function editorPaths(link: string) {
  const path = `/c/${link}/-/`
  return {
    save: `${path}save`,
    preview: `${path}preview`,
    arrange: `${path}arrange`,
    upload: `${path}upload`,
    check: `${path}check`,
    revision: `${path}revision`
  } as const
}

export function newCardPaths(link: string) {
  const path = `/b/${link}/-/`
  return { create: `${path}new`, preview: `${path}preview` } as const
}
