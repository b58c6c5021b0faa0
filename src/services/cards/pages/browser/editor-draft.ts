const PREFIX = 'nonet-cards-draft '

type Entries = readonly (readonly [string, string])[]

export interface Draft {
  isChanged: () => boolean
  /** Keeps what was typed until it is saved, also over a reload of this tab. */
  store: () => void
  /** Whether something that was typed before is in the form again. */
  restore: () => boolean
  /** Nothing is unsaved any more. */
  forget: () => void
  /** After the page was read again. */
  restart: (form: HTMLFormElement | null) => void
}

/** Unsaved values of the form, of one revision of one card. */
export function keepDraft(form: HTMLFormElement | null): Draft {
  let shown = form
  let saved = textOf(form)
  let isForgotten = false
  const key = () => PREFIX + (shown?.dataset.card ?? location.pathname) + revisionOf(shown)

  return {
    isChanged: () => !isForgotten && textOf(shown) !== saved,
    store() {
      isForgotten = false
      try {
        sessionStorage.setItem(key(), textOf(shown))
      } catch {
        // Full or not allowed: the warning before the page is left remains.
      }
    },
    restore() {
      const text = readStored(key())
      if (shown === null || text === undefined || text === saved) return false
      fill(shown, JSON.parse(text))
      return textOf(shown) !== saved
    },
    forget() {
      isForgotten = true
      try {
        sessionStorage.removeItem(key())
      } catch {
        // Not allowed: nothing was stored either.
      }
    },
    restart(next) {
      shown = next
      saved = textOf(next)
      isForgotten = false
    }
  }
}

function revisionOf(form: HTMLFormElement | null): string {
  const input = form?.querySelector<HTMLInputElement>('[name="revision"]')
  return input === null || input === undefined ? '' : ` ${input.value}`
}

function readStored(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

function textOf(form: HTMLFormElement | null): string {
  if (form === null) return ''
  const entries = [...new FormData(form)].filter(([name]) => name !== 'revision')
  return JSON.stringify(entries.filter(([, value]) => typeof value === 'string'))
}

/** Order and removal of images are not restored. */
function fill(form: HTMLFormElement, entries: Entries): void {
  const chosen = (name: string) => entries.flatMap(([one, value]) => (one === name ? [value] : []))
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && ['radio', 'checkbox'].includes(element.type)) {
      element.checked = chosen(element.name).includes(element.value)
    } else if (element instanceof HTMLInputElement && ['hidden', 'file'].includes(element.type)) {
      // The page knows these better.
    } else if (
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
    ) {
      const [value] = chosen(element.name)
      if (value !== undefined) element.value = value
    }
  }
}
