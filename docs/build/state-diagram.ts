import type { Resource } from '@partner-payments/spec/behaviour'
import { instance } from '@viz-js/viz'

const layout = await instance()

/**
 * The states of a resource as an SVG, which takes its colours from the text around it. Actions that are refused or
 * change nothing are left out: the table beside it has them.
 *
 * @returns undefined where no action leads from one state to another.
 */
export function stateDiagram({ title, states = {}, initial = [] }: Resource): string | undefined {
  const moves = Object.entries(states).flatMap(([from, { on = {} }]) =>
    Object.entries(on).flatMap(([action, { to }]) => (to && to !== from ? [{ from, to, action }] : [])),
  )
  if (moves.length === 0) return undefined
  const nodes = Object.keys(states).map(
    (name) => `${JSON.stringify(name)} [${isFinal(moves, name) ? 'peripheries=2' : ''}]`,
  )
  const starts = initial.map((name) => `start -> ${JSON.stringify(name)}`)
  const edges = moves.map(
    ({ from, to, action }) => `${JSON.stringify(from)} -> ${JSON.stringify(to)} [label=" ${action} "]`,
  )
  const svg = layout.renderString(`digraph {\n${[...STYLE, ...nodes, ...starts, ...edges].join('\n')}\n}`, {
    format: 'svg',
  })
  const image = themed(
    svg,
    `States of ${title}: ${moves.map(({ from, to, action }) => `${action} moves ${from} to ${to}`).join('; ')}.`,
  )
  return `<figure class="states">${image}</figure>`
}

const STYLE = [
  'bgcolor=transparent; rankdir=LR; nodesep=0.4; ranksep=0.6',
  'node [shape=box style=rounded fontname="sans-serif" fontsize=12 height=0.4]',
  'edge [fontname="sans-serif" fontsize=11 arrowsize=0.7]',
  'start [shape=point width=0.12 label=""]',
]

function isFinal(moves: readonly { readonly from: string }[], name: string): boolean {
  return !moves.some(({ from }) => from === name)
}

/** The diagram as an image with a text, in the colour of the text around it. */
function themed(svg: string, label: string): string {
  return svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg', `<svg class="states" role="img" aria-label="${label}"`)
    .replace(/<title>.*?<\/title>\n?/g, '')
    .replace(/<!--.*?-->\n?/gs, '')
    .replaceAll('"black"', '"currentColor"')
    .replace(/<text /g, '<text fill="currentColor" ')
    .replaceAll(/\s*\n/g, ' ')
    .trim()
}
