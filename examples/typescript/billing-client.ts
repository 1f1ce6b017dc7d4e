export interface Contract {
  readonly id: string;
  readonly name?: string;
  readonly deletedAt?: string;
}

export interface Measurement {
  readonly id: string;
  readonly value?: number;
}

interface Page {
  readonly measurements: readonly Measurement[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

/** A response that is not a success. */
export class BillingError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A client of the billing service that copes with a lost response. */
export class BillingClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** The deleted contract; nothing if an attempt whose response got lost deleted it. */
  async deleteContract(id: string): Promise<Contract | undefined> {
    const remove = () =>
      this.call<{ contract: Contract }>('DELETE', `/contracts/${encodeURIComponent(id)}`);
    try {
      return (await remove()).contract;
    } catch (error) {
      if (error instanceof BillingError) throw error;
    }
    try {
      return (await remove()).contract;
    } catch (error) {
      if (error instanceof BillingError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Every measurement, page by page. */
  async *measurements(limit = 1000): AsyncGenerator<Measurement> {
    const query = new URLSearchParams({ limit: String(limit) });
    for (;;) {
      const page = await this.call<Page>('GET', `/measurements?${query}`);
      yield* page.measurements;
      if (!page.hasMore || !page.nextCursor) return;
      query.set('cursor', page.nextCursor);
    }
  }

  private async call<Body>(method: string, path: string): Promise<Body> {
    const headers = { Authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.url}${path}`, { method, headers });
    if (!response.ok)
      throw new BillingError(response.status, `${method} ${path}: ${response.status}`);
    return (await response.json()) as Body;
  }
}
