"""Ray Data: every block is changed where it lies; any number of blocks gives the same rows."""

import fissure as fs
import ray

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
rows = [{"id": at, "text": f"I do not like film number {at}, but it is not bad."} for at in range(1000)]
step = fs.typos(rate=0.2).step(column="text", id="id")
data = ray.data.from_items(rows).map_batches(step, batch_format="pyarrow", batch_size=None)
print(data.take(2))
ray.shutdown()
