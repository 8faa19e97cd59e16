/** Runs changed inputs of one target, keeps those that reach new code, and shrinks those that show a defect. */
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { Coverage, type Execution } from './coverage.ts';
import { mutate } from './mutate.ts';
import type { Target } from './target.ts';

export interface Finding {
  /** The defect: the same for inputs that show the same one. */
  readonly kind: string;
  readonly message: string;
  readonly input: Buffer;
}

export interface FuzzReport {
  readonly executions: number;
  readonly blocks: Coverage['blocks'];
  readonly features: number;
  /** Most executed blocks of one input, and its size. */
  readonly most: { readonly work: number; readonly bytes: number };
  readonly corpus: readonly Buffer[];
  readonly findings: readonly Finding[];
}

export interface FuzzHooks {
  /** Called before each execution. */
  readonly onInput?: (input: Buffer) => void;
  readonly onFinding?: (finding: Finding) => void;
}

interface Corpus extends Execution {
  readonly input: Buffer;
}

/** Executions, and seconds, with which a finding is shrunk. */
const SHRINK_RUNS = 400;
const SHRINK_SECONDS = 20;
const MAX_BATCH = 32;
/** New findings after which a run ends: one defect in many disguises. */
const MAX_FINDINGS = 12;

export class Fuzzer {
  readonly #target: Target;
  readonly #random: RandomSource;
  readonly #tokens: readonly Buffer[];
  readonly #coverage = new Coverage();
  readonly #hooks: FuzzHooks;
  readonly #corpus: Corpus[] = [];
  readonly #findings = new Map<string, Finding>();
  #executions = 0;
  /** Executions for which the counts are read together. */
  #batch = 1;
  #most = { work: 0, bytes: 0 };

  constructor(target: Target, seed: number, hooks: FuzzHooks = {}) {
    this.#target = target;
    this.#random = new RandomSource(seed);
    this.#tokens = target.tokens.map((token) => Buffer.from(token));
    this.#hooks = hooks;
  }

  async run(inputs: readonly Buffer[], seconds: number): Promise<FuzzReport> {
    const end = performance.now() + 1000 * seconds;
    for (const input of inputs) await this.#try(input.subarray(0, this.#target.maxBytes));
    while (performance.now() < end && this.#findings.size < MAX_FINDINGS) {
      await this.#tryBatch(Array.from({ length: this.#batch }, () => this.#next()));
      // The counts of single executions.
      await this.#try(this.#next());
    }
    this.#coverage.close();
    return {
      executions: this.#executions,
      blocks: this.#coverage.blocks,
      features: this.#coverage.features,
      most: this.#most,
      corpus: this.#corpus.map(({ input }) => input),
      findings: [...this.#findings.values()],
    };
  }

  #next(): Buffer {
    const context = { random: this.#random, tokens: this.#tokens, other: this.#choose() };
    return mutate(this.#choose(), context, this.#target.maxBytes);
  }

  /** Reading the counts takes longer than most executions: they are read once, and again for each input only if needed. */
  async #tryBatch(inputs: readonly Buffer[]): Promise<void> {
    const start = performance.now();
    let isUnusual = false;
    for (const input of inputs) {
      this.#executions++;
      this.#hooks.onInput?.(input);
      isUnusual ||= (await this.#defectOf(input)) !== undefined;
    }
    const executed = performance.now();
    isUnusual = this.#coverage.takeCoversNew() || isUnusual;
    const taken = performance.now();
    const ratio = ((taken - executed) * inputs.length) / (executed - start);
    this.#batch = Math.max(1, Math.min(MAX_BATCH, Math.round(ratio)));
    if (isUnusual) for (const input of inputs) await this.#try(input);
  }

  async #defectOf(input: Buffer): Promise<Omit<Finding, 'input'> | undefined> {
    try {
      await this.#target.run(input);
      return undefined;
    } catch (error) {
      return defectOf(error);
    }
  }

  /** Newer inputs are chosen more often, as few changes were made to them; and shorter ones, as they take less time. */
  #choose(): Buffer {
    const { length } = this.#corpus;
    if (length === 0) return Buffer.alloc(0);
    const newest = this.#random.below(3) === 0 ? Math.ceil(length / 8) : length;
    const [one, other] = [0, 1].map(() => this.#corpus[length - 1 - this.#random.below(newest)]!.input);
    return one!.length <= other!.length || this.#random.below(4) === 0 ? one! : other!;
  }

  async #try(input: Buffer): Promise<void> {
    const { defect, execution } = await this.#execute(input);
    if (defect !== undefined && !this.#findings.has(defect.kind)) {
      const finding = await this.#shrink({ ...defect, input });
      this.#findings.set(defect.kind, finding);
      this.#hooks.onFinding?.(finding);
    }
    if (defect === undefined && execution.news > 0)
      this.#corpus.push({ input: Buffer.from(input), ...execution });
  }

  async #execute(input: Buffer): Promise<{ defect?: Omit<Finding, 'input'>; execution: Execution }> {
    const { maxWork } = this.#target;
    this.#executions++;
    this.#hooks.onInput?.(input);
    let defect = await this.#defectOf(input);
    const execution = this.#coverage.take();
    const limit = maxWork.base + maxWork.perByte * input.length;
    if (execution.work > this.#most.work) this.#most = { work: execution.work, bytes: input.length };
    if (defect === undefined && execution.work > limit) {
      const message = `${execution.work} blocks for ${input.length} bytes, expected ${limit} at most`;
      defect = { kind: 'work', message };
    }
    return { defect, execution };
  }

  /** Removes parts as long as the defect stays. */
  async #shrink(finding: Finding): Promise<Finding> {
    let { input, message } = finding;
    let runs = 0;
    const end = performance.now() + 1000 * SHRINK_SECONDS;
    const isOver = () => runs >= SHRINK_RUNS || performance.now() > end;
    for (let size = Math.ceil(input.length / 2); size >= 1 && !isOver(); size = Math.floor(size / 2)) {
      for (let at = 0; at < input.length && !isOver(); ) {
        const shorter = Buffer.concat([input.subarray(0, at), input.subarray(at + size)]);
        runs++;
        const { defect } = await this.#execute(shorter);
        if (defect?.kind === finding.kind) [input, message] = [shorter, defect.message];
        else at += size;
      }
    }
    return { ...finding, input, message };
  }
}

/** A defect is known by its property, or by its error and the place that throws it. */
function defectOf(error: unknown): Omit<Finding, 'input'> {
  if (!(error instanceof Error)) return { kind: String(error), message: String(error) };
  const place = /\/(?:lib|test)\/[^\s)]*/.exec(error.stack ?? '')?.[0] ?? '';
  const kind = error.name === 'PropertyError' ? error.message.split(':', 1)[0]! : `${error.name} ${place}`;
  return {
    kind,
    message: `${error.name}: ${error.message.slice(0, 600)}\n${(error.stack ?? '').split('\n').slice(1, 6).join('\n')}`,
  };
}
