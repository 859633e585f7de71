import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Terminal } from './terminal.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/**
 * The files of this tree as they are now, also those that git does not track yet, in a folder of
 * their own: what a user has after `git clone`.
 */
export class Clone extends Terminal {
  constructor() {
    const common = git('rev-parse', '--path-format=absolute', '--git-common-dir').trim()
    // It takes what this tree has built of the same files, which this tree's tests need anyway.
    super({ TURBO_CACHE_DIR: join(common, '../.turbo/cache'), TURBO_CACHE: 'local:r' })
    for (const file of listFiles())
      if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(this.folder, file))
  }

  /**
   * Saves a program where a page says, runs the command of the page there, and returns what it
   * prints.
   */
  async runProgram(page: string, program: string): Promise<string> {
    const [, file = '', command = ''] =
      /[Ss]ave (?:it|the program) as\s+`(.*?)`,\s+(?:then|and)\s+run\s+`(.*?)`\s+in\s+that\s+folder/.exec(
        page,
      ) ?? []
    this.write(file, program)
    return this.run(command, { folder: dirname(file) })
  }
}

/** The files of this tree that git tracks, or would track if they were added. */
function listFiles(): string[] {
  const output = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  return output.split('\0').filter(Boolean)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
}

/** What the first line of a program that has a comment prints. */
export function commentOf(program: string): string {
  return /console\.log\(.*\) \/\/ (.*)/.exec(program)?.[1] ?? ''
}

/** The programs and commands of a page. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/^```(?:sh|ts)\n(.*?)^```/gms)].map(([, block = '']) => block)
}
