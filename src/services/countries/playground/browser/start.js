const EXAMPLES = [
  `# Press the play button, or Ctrl+Enter.
query Brazil {
  country(code: "BR") {
    name
    native
    emoji
    currency
    languages {
      code
      name
    }
  }
}
`,
  `query DollarCountries {
  countries(filter: { currency: { eq: "USD" }, continent: { ne: "NA" } }) {
    code
    name
    currency
  }
}
`,
  `query Search {
  countries(search: "cote", orderBy: NAME_ASC, first: 5) {
    code
    name
    inFrench: name(lang: "fr")
    timezones {
      name
      utcOffset
    }
  }
}
`,
  `query Swiss {
  country(code: "CHE") {
    name
    continent {
      name
    }
    currencyInfo {
      name
      symbol
    }
    states {
      code
      name
    }
  }
}
`
]

const root = document.getElementById('playground')
root.textContent = ''
const reactRoot = window.ReactDOM.createRoot(root)
const settings = {
  fetcher: window.GraphiQL.createFetcher({ url: '/graphql' }),
  defaultQuery: EXAMPLES[0],
  defaultTabs: EXAMPLES.map((query) => ({ query })),
  defaultEditorToolsVisibility: false
}

/** The theme switch of the top bar sets the theme, so the settings of GraphiQL do not offer it. */
function render() {
  const forcedTheme = document.documentElement.dataset.theme ?? 'system'
  reactRoot.render(window.React.createElement(window.GraphiQL, { ...settings, forcedTheme }))
}

render()
new MutationObserver(render).observe(document.documentElement, { attributeFilter: ['data-theme'] })

/** Adds missing labels to GraphiQL's editors; removes tab roles that contradict their contents. */
function repairSemantics() {
  for (const list of root.querySelectorAll('.graphiql-tabs[role="tablist"]')) list.role = 'group'
  for (const tab of root.querySelectorAll('.graphiql-tab[role="tab"]')) {
    tab.role = 'none'
    tab.removeAttribute('aria-selected')
  }
  for (const input of root.querySelectorAll('.CodeMirror textarea:not([aria-label])')) {
    input.setAttribute('aria-label', input.closest('section')?.ariaLabel ?? 'Editor')
  }
  for (const area of root.querySelectorAll('.CodeMirror-scroll[tabindex="-1"]')) {
    area.setAttribute('tabindex', '0')
  }
}

new MutationObserver(repairSemantics).observe(root, {
  subtree: true,
  childList: true,
  attributeFilter: ['aria-selected']
})
