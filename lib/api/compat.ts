/** The API of the npm package `dancing-links`: `import { DancingLinks } from 'dlx-batch/compat'`. */
export class DancingLinks {}
export class ProblemSolver {}
export class SolverTemplate {}
