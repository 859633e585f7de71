import { readFileSync } from 'node:fs'

/** A command of a guide, with its documented output. */
export interface Step {
  readonly command: string
  readonly printed: readonly string[]
}

/** The commands of a guide in order. A text block after a command is its output. */
export function stepsOf(guide: URL): Step[] {
  const blocks = [...readFileSync(guide, 'utf8').matchAll(/^```(sh|text)\n(.*?)^```$/gms)]
  const steps: Step[] = []
  for (const [, kind, text = ''] of blocks) {
    const lines = text.trimEnd()
    if (kind === 'sh') steps.push({ command: lines, printed: [] })
    else steps.push({ command: steps.pop()?.command ?? '', printed: lines.split('\n') })
  }
  return steps
}
