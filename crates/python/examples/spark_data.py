"""Spark: the step runs inside mapInArrow, and columns that it does not touch are not copied."""

import fissure as fs
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
frame = spark.range(1000).selectExpr("id", "concat('I do not like film number ', id) as text")
step = fs.typos(rate=0.2).step(column="text", id="id")
frame.mapInArrow(step.batches, step.ddl(frame.schema)).show(2, truncate=False)
spark.stop()
