/**
 * Visible elements whose text has not certainly enough contrast; runs in the page. Texts on plain
 * colours are calculated here, so that the tests of `pages` take 21 s of CPU instead of 28; axe
 * judges the others: too little contrast for small text, images, shadows, transparency and layers
 * over the text. `page-rules` has cases of each kind of background.
 */
export function findDoubtfulTexts(): Element[] {
  type Colour = readonly [number, number, number]
  /** What is behind an element; undefined if it is not a plain colour. */
  interface Backdrop {
    readonly colour: Colour | undefined
    /** The text has this colour behind it only inside all of these. */
    readonly boxes: readonly DOMRect[]
    /** Whether an effect concerns everything in the element. */
    readonly isPlain: boolean
  }

  const ENOUGH = 4.5
  const WITHOUT_TEXT = ['radio', 'checkbox', 'hidden', 'range', 'color'].map(
    (type) => `[type=${type}]`
  )
  const FIELDS = `input:not(${WITHOUT_TEXT.join()}), select, textarea`
  const styles = new Map<Element, CSSStyleDeclaration>()
  const backdrops = new Map<Element, Backdrop>()
  const layers: { element: Element; box: DOMRect }[] = []
  const doubtful: Element[] = []

  function styleOf(element: Element): CSSStyleDeclaration {
    const style = styles.get(element) ?? getComputedStyle(element)
    styles.set(element, style)
    return style
  }

  /** Red, green, blue and alpha; undefined for colour spaces other than sRGB. */
  function parse(colour: string): { rgb: Colour; alpha: number } | undefined {
    const numbers = colour.match(/[\d.]+(?:e-?\d+)?/g)?.map(Number) ?? []
    const [red = 0, green = 0, blue = 0, alpha = 1] = numbers
    if (colour.startsWith('rgb')) return { rgb: [red, green, blue], alpha }
    if (!colour.startsWith('color(srgb ')) return undefined
    return { rgb: [red * 255, green * 255, blue * 255], alpha }
  }

  function luminance(colour: Colour): number {
    const [red, green, blue] = colour.map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  function contrast(one: Colour, other: Colour): number {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  function hasEffect(style: CSSStyleDeclaration): boolean {
    return (
      style.opacity !== '1' ||
      style.filter !== 'none' ||
      style.backdropFilter !== 'none' ||
      style.mixBlendMode !== 'normal' ||
      style.transform !== 'none'
    )
  }

  function findBackdrop(element: Element): Backdrop {
    const style = styleOf(element)
    const parent = element.parentElement
    const unknown: Backdrop = { colour: undefined, boxes: [], isPlain: true }
    const behind = parent === null ? unknown : backdropOf(parent)
    const isPlain = behind.isPlain && !hasEffect(style)
    const own = parse(style.backgroundColor)
    if (style.backgroundImage !== 'none' || own === undefined) return { ...unknown, isPlain }
    const isCanvas = parent === null || element === document.body
    if (own.alpha === 1 && isCanvas) return { colour: own.rgb, boxes: [], isPlain }
    const box = element.getBoundingClientRect()
    if (own.alpha === 1) return { colour: own.rgb, boxes: cut([box], style, box), isPlain }
    // A layer may be anywhere.
    const isInFlow = style.position === 'static' || style.position === 'relative'
    if (!isInFlow || behind.colour === undefined) return { ...unknown, isPlain }
    const boxes = own.alpha === 0 ? behind.boxes : [...behind.boxes, box]
    return { colour: mix(own, behind.colour), boxes: cut(boxes, style, box), isPlain }
  }

  function mix({ rgb, alpha }: { rgb: Colour; alpha: number }, behind: Colour): Colour {
    const [red, green, blue] = behind.map((value, index) => {
      return (rgb[index] ?? 0) * alpha + value * (1 - alpha)
    })
    return [red ?? 0, green ?? 0, blue ?? 0]
  }

  /** Nothing is visible outside an element that cuts off what does not fit. */
  function cut(
    boxes: readonly DOMRect[],
    { overflowX, overflowY }: CSSStyleDeclaration,
    box: DOMRect
  ): readonly DOMRect[] {
    const cuts = overflowX !== 'visible' && overflowY !== 'visible'
    return cuts && boxes.every((one) => isInside(box, one)) ? [] : boxes
  }

  function backdropOf(element: Element): Backdrop {
    const backdrop = backdrops.get(element) ?? findBackdrop(element)
    backdrops.set(element, backdrop)
    return backdrop
  }

  function boxesOf(element: Element): readonly DOMRect[] {
    if (element.matches(FIELDS)) return [element.getBoundingClientRect()]
    const range = document.createRange()
    return [...element.childNodes].flatMap((node) => {
      if (node.nodeType !== Node.TEXT_NODE || node.nodeValue?.trim() === '') return []
      range.selectNodeContents(node)
      return [...range.getClientRects()]
    })
  }

  function isInside(inner: DOMRect, outer: DOMRect): boolean {
    return (
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1
    )
  }

  function overlaps(one: DOMRect, other: DOMRect): boolean {
    return (
      one.left < other.right &&
      other.left < one.right &&
      one.top < other.bottom &&
      other.top < one.bottom
    )
  }

  /** For screen readers only, or outside the page until it has the focus. */
  function isUnseen(element: Element): boolean {
    const { overflowX, position } = styleOf(element)
    const { width, height, right, bottom } = element.getBoundingClientRect()
    const isOutside = right + scrollX <= 0 || bottom + scrollY <= 0
    return (
      position === 'absolute' &&
      (isOutside || (width <= 1 && height <= 1 && overflowX === 'hidden'))
    )
  }

  function isSure(element: Element, texts: readonly DOMRect[]): boolean {
    const style = styleOf(element)
    const { colour, boxes, isPlain } = backdropOf(element)
    const text = parse(style.color)
    if (!isPlain || colour === undefined || text === undefined || text.alpha < 1) return false
    if (style.textShadow !== 'none' || style.webkitTextFillColor !== style.color) return false
    if (!texts.every((one) => boxes.every((box) => isInside(one, box)))) return false
    const isCovered = layers.some(
      (layer) => !layer.element.contains(element) && texts.some((one) => overlaps(one, layer.box))
    )
    return !isCovered && contrast(text.rgb, colour) >= ENOUGH
  }

  const all = [...document.querySelectorAll('body, body *')].filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !isUnseen(element)
  )
  for (const element of all) {
    const { position, marginTop, marginLeft, opacity } = styleOf(element)
    const isMoved = marginTop.startsWith('-') || marginLeft.startsWith('-')
    if ((isMoved || position !== 'static') && opacity !== '0') {
      layers.push({ element, box: element.getBoundingClientRect() })
    }
  }
  for (const element of all) {
    const texts = boxesOf(element)
    if (texts.length > 0 && !isSure(element, texts)) doubtful.push(element)
  }
  return doubtful
}
