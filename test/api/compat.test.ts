/** The compatibility layer gives what the npm package `dancing-links` gives. */
import { DancingLinks as PackageLinks } from 'dancing-links';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DancingLinks, ProblemSolver, SolverTemplate } from '../../lib/api/compat.ts';
import { propertyRuns } from '../support/depth.ts';

/** Solutions in an order of their own: each as the sorted indexes of its rows. */
function sorted(solutions: { data: number; index: number }[][]): string[] {
  return solutions
    .map((solution) =>
      solution
        .map(({ index, data }) => `${index}:${data}`)
        .sort()
        .join(' '),
    )
    .sort();
}

const problems = fc
  .record({ primary: fc.integer({ min: 1, max: 5 }), secondary: fc.integer({ min: 0, max: 3 }) })
  .chain(({ primary, secondary }) =>
    fc.record({
      primary: fc.constant(primary),
      secondary: fc.constant(secondary),
      rows: fc.array(
        fc.record({
          primary: fc.subarray(Array.from({ length: primary }, (_, k) => k)),
          secondary: fc.subarray(Array.from({ length: secondary }, (_, k) => k)),
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
  );

describe('the compatibility layer', () => {
  it('finds the solutions of the package, for sparse and binary rows, solvers and templates', () => {
    fc.assert(
      fc.property(problems, ({ primary, secondary, rows }) => {
        const config = { primaryColumns: primary, secondaryColumns: secondary };
        const [ours, theirs] = [DancingLinks, PackageLinks].map((Links) => {
          const template = new Links<number>().createSolverTemplate(config);
          const half = rows.length >> 1;
          for (const [index, row] of rows.slice(0, half).entries())
            template.addSparseConstraint(10 * index, row);
          const solver = template.createSolver();
          for (const [index, row] of rows.slice(half).entries()) {
            const bits = (columns: number[], count: number) =>
              Array.from({ length: count }, (_, k): 0 | 1 => (columns.includes(k) ? 1 : 0));
            const primaryRow = bits(row.primary, primary);
            solver.addBinaryConstraint(10 * (half + index), {
              primaryRow,
              secondaryRow: bits(row.secondary, secondary),
            });
          }
          expect(solver.findOne().length).toBe(Math.min(1, solver.findAll().length));
          expect([...solver.createGenerator()].length).toBe(solver.findAll().length);
          expect(solver.find(2).length).toBe(Math.min(2, solver.findAll().length));
          return sorted(solver.findAll());
        });
        expect(ours).toEqual(theirs);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  it('has the classes of the package', () => {
    const links = new DancingLinks<string>();
    expect(links.createSolver({ columns: 1 })).toBeInstanceOf(ProblemSolver);
    expect(links.createSolverTemplate({ columns: 1 })).toBeInstanceOf(SolverTemplate);
  });

  it('takes a column that a row names twice once, and no empty row', () => {
    // The package finds only some of these solutions.
    const solver = new DancingLinks<number>().createSolver({ columns: 3 });
    for (const [data, columns] of [[0, 1], [2], [], [0, 0, 1], [2, 2]].entries()) {
      solver.addSparseConstraint(data, columns);
    }
    expect(sorted(solver.findAll())).toEqual(['0:0 1:1', '0:0 4:4', '1:1 3:3', '3:3 4:4']);
  });

  it('throws for a column out of range, with and without validation', () => {
    const solver = new DancingLinks<string>().createSolver({ columns: 2 });
    solver.addSparseConstraint('a', [0]).addSparseConstraint('b', [2]);
    expect(() => solver.findAll()).toThrow('Column index 2 exceeds columns limit of 2');
    expect(() => solver.validateConstraints().addSparseConstraint('c', [-1])).toThrow(
      'Column index -1 exceeds',
    );
  });
});
