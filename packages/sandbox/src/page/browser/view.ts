import { html } from 'htm/preact'
import { render, type VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { control } from './api.ts'

/**
 * Creates elements. Values become text or attributes, so nothing from a request is parsed as HTML.
 */
export { html }

export type View = VNode

/**
 * Draws into an element of the HTML. What did not change stays as it is, with focus, typed text and
 * open details.
 */
export function draw(id: string, view: View | false | null): void {
  render(view, byId(id))
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no element "${id}"`)
  return element
}

/** A hint for an empty list. Backquotes mark code. */
export function empty(text: string): View {
  const pieces = text.split('`').map((piece, i) => {
    const isCode = i % 2 === 1
    return isCode ? html`<code>${piece}</code>` : piece
  })
  return html`<p class="empty">${pieces}</p>`
}

/** Text for screen readers only: it distinguishes buttons that look the same. */
export function hidden(text: string): View {
  return html`<span class="hidden">${text}</span>`
}

export function note(text: string): View {
  return html`<p class="soft">${text}</p>`
}

/**
 * A label that says what a rule is based on: `fact`, or the open question about which the contract
 * assumed something, so that nobody takes an assumption for a fact.
 *
 * @param question the id of the open question; null if it is a fact
 * @param subject the start of the tooltip, such as "The rule is"
 */
export function basisLabel(question: string | null | undefined, subject = 'The rule is'): View {
  if (!question) {
    return html`<span class="basis" data-basis="fact" title="${subject} stated by the source document.">fact</span>`
  }

  const title = `${subject} not stated by the source document, but assumed or observed. The service may do otherwise.`
  return html`<span class="basis" data-basis="assumed" title=${title}>open question: ${question}</span>`
}

const TONES: Readonly<Record<string, string>> = {
  settled: 'good',
  delivered: 'good',
  active: 'good',
  CONCLUIDA: 'good',
  pending: 'open',
  ATIVA: 'open',
  rejected: 'bad',
  dead: 'bad',
  dropped: 'bad',
}

/** Shows a status as a word; the colour only repeats it. */
export function pill(status: string, tone = TONES[status] ?? 'plain'): View {
  return html`<span class="pill" data-tone=${tone}>${status}</span>`
}

/** The status of a response, or 0 if a fault lost it or reset the connection. */
export function statusPill(status: number): View {
  if (status === 0) return pill('no response', 'bad')
  return pill(String(status), chooseTone(status))
}

function chooseTone(status: number): string {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'waits'
  return 'good'
}

interface ListProps {
  readonly noun: string
  readonly label: string
  readonly kind?: string
  /** How many rows to show at first. */
  readonly most: number
  readonly rows: readonly View[]
}

/**
 * The first rows of a list, and a button that shows the others. The page scrolls as a whole, so
 * lists have no scroll bars.
 *
 * @param most how many rows are shown at first
 */
export function List({ noun, label, kind = 'list', most, rows }: ListProps): View {
  const [isWhole, setWhole] = useState(false)
  const visibleRows = isWhole ? rows : rows.slice(0, most)
  const list = html`<ol class=${kind} aria-label=${label}>${visibleRows}</ol>`
  if (visibleRows.length === rows.length) return list

  const showAll = () => setWhole(true)
  return html`
    ${list}
    <button type="button" class="more" onClick=${showAll}>Show all ${rows.length} ${noun}</button>`
}

/**
 * Loads a path of the control API when a `details` element is opened. Returns its `body`, or the
 * `problem` that kept it from loading, and the `onToggle` for the element.
 *
 * @param version a new value loads the path again while the element is open
 */
export function useOpened<T>(path: string, version = '') {
  const [isOpen, setOpen] = useState(false)
  type Loaded = { readonly body?: T; readonly problem?: string }
  const [loaded, setLoaded] = useState<Loaded>({})
  useEffect(() => {
    if (!isOpen) {
      setLoaded({})
      return
    }

    // A response that arrives after the element was closed is dropped.
    let isWanted = true
    const show = (result: Loaded) => {
      if (isWanted) setLoaded(result)
    }
    control<T>('GET', path).then(
      (body) => show({ body }),
      (error: unknown) => show({ problem: readMessage(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [path, version, isOpen])
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) =>
    setOpen(currentTarget.open)
  return { ...loaded, onToggle }
}

export function readMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
