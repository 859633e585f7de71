import { readFileSync } from 'node:fs'

/** A command of a guide, with the lines that it says are printed. */
export interface Step {
  readonly command: string
  readonly printed: readonly string[]
}

/** The commands of a guide in their order; what stands in a block of text after one is what it prints. */
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
