// Part of every page: the theme is set before the page is shown, the rest when it is complete.
;(() => {
  const root = document.documentElement
  const THEMES = ['system', 'light', 'dark']
  const YEAR_SECONDS = 31536000
  /** Cookies have no port, so the choice holds for all services of the host. */
  const stored = () => /(?:^|; )nonet_theme=(light|dark)/.exec(document.cookie)?.[1] ?? 'system'

  function applyTheme(theme) {
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
  }

  function prepareThemeSwitch(button) {
    const describe = () => {
      const theme = stored()
      button.dataset.shown = theme
      button.setAttribute('aria-label', `Theme: ${theme}`)
      button.title = `Theme: ${theme}`
    }
    button.addEventListener('click', () => {
      const next = THEMES[(THEMES.indexOf(stored()) + 1) % THEMES.length]
      const age = next === 'system' ? 0 : YEAR_SECONDS
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS.
      document.cookie = `nonet_theme=${next}; Path=/; Max-Age=${age}; SameSite=Lax`
      applyTheme(next)
      describe()
    })
    describe()
    button.hidden = false
  }

  /** The clipboard API needs HTTPS or localhost; pages are also opened at other addresses. */
  async function copy(text) {
    if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
    const field = document.createElement('textarea')
    field.value = text
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }

  function textToCopy(button) {
    const given = button.dataset.copy
    if (given) return given
    return button.parentElement?.querySelector('code, pre')?.textContent ?? ''
  }

  async function copyOf(button) {
    // Pressed again while it says so, it still gets its own label back.
    button.dataset.label ??= button.getAttribute('aria-label')
    try {
      await copy(textToCopy(button))
      button.classList.add('done')
      button.setAttribute('aria-label', 'Copied')
    } catch {
      button.setAttribute('aria-label', 'Not copied: the browser did not allow it')
    }
    setTimeout(() => {
      button.classList.remove('done')
      button.setAttribute('aria-label', button.dataset.label)
    }, 1500)
  }

  /** Elements that match, the given one included. */
  function matching(parent, selector) {
    const found = [...parent.querySelectorAll(selector)]
    return parent.matches?.(selector) ? [parent, ...found] : found
  }

  /** The exact time in UTC stays in `title` and `datetime`. */
  function showLocalTimes(parent) {
    for (const element of matching(parent, 'time[data-local]')) {
      const when = new Date(element.dateTime)
      if (Number.isNaN(when.getTime())) continue
      const isToday = when.toDateString() === new Date().toDateString()
      const time = { hour: '2-digit', minute: '2-digit', second: '2-digit' }
      const date = { year: 'numeric', month: 'short', day: 'numeric' }
      element.textContent = new Intl.DateTimeFormat(undefined, {
        ...(isToday ? {} : date),
        ...time
      }).format(when)
      delete element.dataset.local
    }
  }

  function prepare(parent) {
    showLocalTimes(parent)
    for (const button of matching(parent, 'button.copy[hidden]')) button.hidden = false
  }

  /** A page waits no longer than this for the end of a press, which may be outside of the window. */
  const PRESS_MS = 10_000
  let press
  addEventListener('pointerdown', ({ button }) => {
    if (button !== 0) return
    press = new Promise((resolve) => {
      // The click follows the release at once.
      const end = () => setTimeout(resolve)
      for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { once: true })
      setTimeout(resolve, PRESS_MS)
    })
  })
  /** For pages that show changes: a click is lost if what it began on is replaced meanwhile. */
  globalThis.untilReleased = () => press

  applyTheme(stored())
  document.addEventListener('DOMContentLoaded', () => {
    for (const button of document.querySelectorAll('button.theme')) prepareThemeSwitch(button)
    prepare(document)
    document.addEventListener('click', (event) => {
      const button = event.target.closest?.('button.copy')
      if (button) copyOf(button)
      for (const menu of document.querySelectorAll('.switcher[open]')) {
        if (!menu.contains(event.target)) menu.open = false
      }
    })
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      for (const menu of document.querySelectorAll('.switcher[open]')) {
        menu.open = false
        menu.querySelector('summary')?.focus()
      }
    })
    // Lists that are live add elements later.
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof Element) prepare(node)
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
})()
