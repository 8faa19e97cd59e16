import { describe, expect, it } from 'vitest';
import { Retries, RetriesExhaustedError } from '../../lib/aws/retries.ts';
import { expectTable } from '../support/text-table.ts';

/** Enough time for a busy machine. */
const FAST = { forMs: 60_000, firstContactMs: 60_000, firstDelayMs: 1, maxDelayMs: 2 };

function failure(status: number, name = 'Error'): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
}

const broken = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** A request that fails with these errors in turn, and then succeeds. */
function failing(...errors: readonly Error[]) {
  const request = async () => {
    const error = errors[request.sent++];
    if (error !== undefined) throw error;
    return 'answer';
  };
  request.sent = 0;
  return request;
}

/** A request that always fails so. */
function alwaysFailing(error: () => Error) {
  const request = async (): Promise<string> => {
    request.sent++;
    throw error();
  };
  request.sent = 0;
  return request;
}

async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('is repeated after the errors of retries.txt, and after no others', () =>
    expectTable(new URL('retries.txt', import.meta.url), {
      'how often a request is sent that fails three times with an error': async ({ status, ...fields }) => {
        const metadata = status && { $metadata: { httpStatusCode: status } };
        const error = Object.assign(new Error('x'), fields, metadata);
        const request = failing(error, error, error);
        const retries = new Retries(FAST);
        await retries.request(async () => {});
        const thrown = await thrownBy(retries.request(request));
        expect([undefined, error]).toContain(thrown);
        return `${request.sent} times${thrown === undefined ? '' : ', and the error is thrown'}`;
      },
    }));

  it('is repeated after a redirect that S3 has not sent, as by a sign-in page of a network', async () => {
    const retries = new Retries(FAST);
    await retries.request(async () => {});
    expect(await retries.request(failing(failure(302), failure(307)))).toBe('answer');
    const ofS3 = failure(307, 'TemporaryRedirect');
    Object.assign((ofS3 as { $metadata?: object }).$metadata!, { requestId: 'A1' });
    expect(await thrownBy(retries.request(failing(ofS3)))).toBe(ofS3);
  });

  it('is repeated once after the SDK has corrected the clock', async () => {
    const skewed = failure(403, 'RequestTimeTooSkewed');
    Object.assign((skewed as { $metadata?: object }).$metadata!, { clockSkewCorrected: true });
    expect(await new Retries(FAST).request(failing(skewed))).toBe('answer');
    expect(await thrownBy(new Retries(FAST).request(failing(skewed, skewed)))).toBe(skewed);
  });

  it('fails after its time; sooner if the endpoint has never answered, and at once during an outage', async () => {
    const retries = new Retries({ ...FAST, forMs: 200, firstContactMs: 0 });
    const unknown = alwaysFailing(broken);
    const first = await thrownBy(retries.request(unknown));
    expect(first).toBeInstanceOf(RetriesExhaustedError);
    expect((first as RetriesExhaustedError).cause).toMatchObject({ code: 'ECONNRESET' });
    const during = alwaysFailing(broken);
    await thrownBy(retries.request(during));
    expect(during.sent).toBe(1);
    await retries.request(failing());
    const known = alwaysFailing(broken);
    await thrownBy(retries.request(known));
    expect(known.sent).toBeGreaterThan(unknown.sent);
  });

  it('ends when it is aborted, while it waits too', async () => {
    const controller = new AbortController();
    const retries = new Retries({
      ...FAST,
      firstDelayMs: 10_000,
      maxDelayMs: 10_000,
      forMs: 60_000,
      signal: controller.signal,
    });
    await retries.request(failing());
    const waiting = thrownBy(retries.request(alwaysFailing(broken)));
    controller.abort();
    expect(await waiting).toMatchObject({ name: 'AbortError' });
  });
});

describe('an operation', () => {
  it('is repeated after a broken body and after a change of its object, five times at most', async () => {
    const changed = failure(412, 'PreconditionFailed');
    expect(await new Retries(FAST).operation(failing(broken(), changed, broken()))).toBe('answer');
    const always = alwaysFailing(broken);
    expect(await thrownBy(new Retries(FAST).operation(always))).toMatchObject({ code: 'ECONNRESET' });
    expect(always.sent).toBe(5);
  });

  it.each([
    new Error('Checksum mismatch: expected "a" but received "b" in response header "x".'),
    new SyntaxError('Unexpected token < in JSON'),
  ])('is repeated after a damaged body: %s', async (damaged) => {
    expect(await new Retries(FAST).operation(failing(damaged, damaged))).toBe('answer');
  });

  it('is not repeated after a request that failed in every attempt', async () => {
    const retries = new Retries({ ...FAST, forMs: 20 });
    let operations = 0;
    const work = () => {
      operations++;
      return retries.request(alwaysFailing(broken));
    };
    expect(await thrownBy(retries.operation(work))).toBeInstanceOf(RetriesExhaustedError);
    expect(operations).toBe(1);
  });
});
