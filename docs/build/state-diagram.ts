import type { Resource } from '@partner-payments/spec/behaviour'
import { instance } from '@viz-js/viz'

const layout = await instance()

const STYLE = [
  'bgcolor=transparent; rankdir=LR; nodesep=0.4; ranksep=0.6',
  'node [shape=box style=rounded fontname="sans-serif" fontsize=12 height=0.4]',
  'edge [fontname="sans-serif" fontsize=11 arrowsize=0.7]',
  'start [shape=point width=0.12 label=""]',
]

/**
 * The states of a resource as an SVG, which takes its colours from the text around it. Actions that
 * are refused or change nothing are left out: the list beside it has them.
 *
 * @returns undefined where no action leads from one state to another.
 */
export function stateDiagram({ title, states = {}, initial = [] }: Resource): string | undefined {
  const moves = listMoves(states)
  if (moves.length === 0) return undefined

  const isFinal = (name: string) => !moves.some(({ from }) => from === name)
  const lines = [
    ...STYLE,
    ...Object.keys(states).map((name) => `"${name}" [${isFinal(name) ? 'peripheries=2' : ''}]`),
    ...initial.map((name) => `start -> "${name}"`),
    ...moves.map(({ from, to, action }) => `"${from}" -> "${to}" [label=" ${action} "]`),
  ]
  const svg = layout.renderString(`digraph {\n${lines.join('\n')}\n}`, { format: 'svg' })

  const label = moves.map(({ from, to, action }) => `${action} moves ${from} to ${to}`).join('; ')
  // Graphviz writes an XML document with fixed colours; a page needs the element alone.
  const image = svg
    .slice(svg.indexOf('<svg'))
    .replace('<svg', `<svg class="states" role="img" aria-label="States of ${title}: ${label}."`)
    .replace(/<title>.*?<\/title>\n?|<!--.*?-->\n?/gs, '')
    .replaceAll('"black"', '"currentColor"')
    .replaceAll('<text ', '<text fill="currentColor" ')
    .replaceAll(/\s*\n/g, ' ')
  return `<figure class="states">${image.trim()}</figure>`
}

/** An action that leads from one state to another. */
interface Move {
  readonly from: string
  readonly to: string
  readonly action: string
}

/** The actions that lead from one state to another. */
function listMoves(states: NonNullable<Resource['states']>): Move[] {
  const moves: Move[] = []
  for (const [from, { on = {} }] of Object.entries(states))
    for (const [action, { to }] of Object.entries(on))
      if (to && to !== from) moves.push({ from, to, action })
  return moves
}
