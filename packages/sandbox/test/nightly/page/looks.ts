/**
 * Code that runs inside the browser. It declares only the few fields it uses: the DOM types would change those of
 * Node's streams.
 */
interface Drawn {
  readonly tagName: string
  readonly outerHTML: string
  readonly textContent: string
  readonly parentElement: Drawn | null
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly nodeValue: string | null }>
  readonly labels?: ArrayLike<Drawn>
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: Drawn): { color: string; backgroundColor: string } }
    getElementById(id: string): Drawn | null
  }
  getAttribute(name: string): string | null
  checkVisibility(): boolean
}

/** Elements whose text has less than 4.5:1 contrast. */
export function faint(all: Drawn[]): string[] {
  const channel = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((it) => channel(Number(it) / 255))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const styleOf = (it: Drawn) => it.ownerDocument.defaultView.getComputedStyle(it)
  const behind = (it: Drawn | null): string => {
    const color = it ? styleOf(it).backgroundColor : 'rgb(255, 255, 255)'
    return it && color === 'rgba(0, 0, 0, 0)' ? behind(it.parentElement) : color
  }
  const ratioOf = (it: Drawn) => {
    const [dark = 0, light = 0] = [luminance(styleOf(it).color), luminance(behind(it))].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const hasText = (it: Drawn) =>
    [...it.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())
  const shown = all.filter((it) => hasText(it) && it.checkVisibility())
  return shown.filter((it) => ratioOf(it) < 4.5).map((it) => `${ratioOf(it).toFixed(2)} ${it.textContent}`)
}

/** Elements without an accessible name. */
export function nameless(all: Drawn[]): string[] {
  const nameOf = (it: Drawn) =>
    it.getAttribute('aria-label') ||
    it.getAttribute('alt') ||
    it.ownerDocument.getElementById(it.getAttribute('aria-labelledby') ?? '')?.textContent ||
    it.labels?.[0]?.textContent ||
    (it.tagName === 'SECTION' ? '' : it.textContent)
  return all.filter((it) => !nameOf(it).trim()).map((it) => it.outerHTML.slice(0, 120))
}

/** Records all changes below an element in `seen`. */
export const watchChanges = (id: string) => `
  globalThis.seen = []
  new MutationObserver((records) => {
    for (const { type, addedNodes, removedNodes } of records)
      seen.push(type + ' +' + addedNodes.length + ' -' + removedNodes.length)
  }).observe(document.getElementById('${id}'), { subtree: true, childList: true, attributes: true, characterData: true })`
