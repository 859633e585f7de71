/** What the first line of a program that has a comment prints. */
export function commentOf(program: string): string {
  return /console\.log\(.*\) \/\/ (.*)/.exec(program)?.[1] ?? ''
}

/** The programs and commands of a page. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```(?:sh|ts)\n(.*?)^```/gms)].map(([, block = '']) => block)
}
